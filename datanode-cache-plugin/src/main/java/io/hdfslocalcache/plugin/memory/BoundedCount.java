/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of something bounded is in use. Never more than the bound, not even for a moment; whoever
 * takes some gives it back when the last of its users has let go, and not before.
 */
public final class BoundedCount {

  private final long bound;
  private final AtomicLong used = new AtomicLong();

  /** @param bound so much may be in use */
  public BoundedCount(long bound) {
    this.bound = bound;
  }

  /** @return whether there was so much left, which is in use now. */
  public boolean take(long n) {
    long before;
    do {
      before = used.get();
      if (n > bound - before) {
        return false;
      }
    } while (!used.compareAndSet(before, before + n));
    return true;
  }

  /** Gives back what was taken. */
  public void give(long n) {
    used.addAndGet(-n);
  }

  /** @return how much is in use now. */
  public long used() {
    return used.get();
  }

  /** @return how much may be in use. */
  public long bound() {
    return bound;
  }
}
