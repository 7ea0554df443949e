/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo.reading;

import java.util.concurrent.atomic.LongAdder;

/** What all readers together have compared. Safe for threads. */
public final class Tally {

  private final LongAdder reads = new LongAdder();
  private final LongAdder verifiedBytes = new LongAdder();
  private final LongAdder wrongBytes = new LongAdder();

  /** Counts a read that is over and was right. */
  void read() {
    reads.increment();
  }

  /** Counts bytes that were right. */
  void verified(long bytes) {
    verifiedBytes.add(bytes);
  }

  /** Counts bytes that were wrong. */
  void wrong(long bytes) {
    wrongBytes.add(bytes);
  }

  /** @return reads, each an open, some bytes and a close. */
  public long reads() {
    return reads.sum();
  }

  /** @return bytes that were the local file's. */
  public long verifiedBytes() {
    return verifiedBytes.sum();
  }

  /** @return bytes that were not. */
  public long wrongBytes() {
    return wrongBytes.sum();
  }
}
