/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.eviction;

import io.hdfslocalcache.eviction.Entry;

/** A page in an order of eviction, from its fill until it leaves. */
public final class Page extends Entry {
  private final int number;
  /** Reads, as {@link Sieve} and {@link S3Fifo} count them. */
  byte reads;
  /** Whether the page is in the small queue of {@link S3Fifo}. */
  boolean isInSmall;

  /** Makes one that is in no order. @param number the same whenever this page enters */
  Page(int number) {
    this.number = number;
  }

  /** @return the page's number. */
  int number() {
    return number;
  }
}
