/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The used amount of a bounded resource. Never grows beyond the bound, not even for a moment; an
 * amount is given back when its last user has released it.
 */
public final class BoundedCount {

  private final LongSupplier bound;
  private final AtomicLong used = new AtomicLong();

  /** @param bound the most that may be in use */
  public BoundedCount(long bound) {
    this(() -> bound);
  }

  /** @param bound returns the most that may be in use at present */
  public BoundedCount(LongSupplier bound) {
    this.bound = bound;
  }

  /** @return whether that much was left; it is in use now. */
  public boolean take(long n) {
    long most = bound();
    long before;
    do {
      before = used.get();
      if (n > most - before) {
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
    return bound.getAsLong();
  }
}
