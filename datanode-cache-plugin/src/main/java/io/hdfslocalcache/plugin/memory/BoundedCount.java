/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The used amount of a bounded resource. Never grows beyond the bound, not even for a moment; an
 * amount is given back when its last user has released it.
 */
public final class BoundedCount {

  private volatile long bound;
  private final AtomicLong used = new AtomicLong();

  /** @param bound the most that may be in use */
  public BoundedCount(long bound) {
    this.bound = bound;
  }

  /** Changes the bound. More may be in use now. */
  public void setBound(long now) {
    bound = now;
  }

  /** @return whether that much was left; it is in use now. */
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

  /** Gives back an amount. */
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
