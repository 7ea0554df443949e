/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo.reading;

import java.util.concurrent.atomic.LongAdder;

/**
 * What all readers together have compared. Safe for threads.
 *
 * @param reads that were right, each an open, some bytes and a close
 * @param verifiedBytes that were the local file's
 * @param wrongBytes that were not
 */
public record Tally(LongAdder reads, LongAdder verifiedBytes, LongAdder wrongBytes) {

  /** Nothing was compared yet. */
  public Tally() {
    this(new LongAdder(), new LongAdder(), new LongAdder());
  }
}
