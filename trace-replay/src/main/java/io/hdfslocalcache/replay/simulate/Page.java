/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import io.hdfslocalcache.eviction.Entry;

/** A page on the SSD, from its fill until it leaves. */
final class Page extends Entry {
  /** The same whenever this page enters. */
  final int number;
  /** The parts that are there, a bit for each. */
  int parts;
  /** Whether it was read since it came. */
  boolean wasRead;
  /** Reads, as {@link Sieve} and {@link S3Fifo} count them. */
  byte reads;
  /** Whether the page is in the small queue of {@link S3Fifo}. */
  boolean isInSmall;

  /** Makes one that is in no order of eviction. */
  Page(int number) {
    this.number = number;
  }
}
