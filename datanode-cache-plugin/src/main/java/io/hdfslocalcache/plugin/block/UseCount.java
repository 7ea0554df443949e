/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the users of an object that is closed when the last one releases it. Starts with one. */
public final class UseCount {

  private final AtomicInteger users = new AtomicInteger(1);

  /** Adds a user. @return false if there is none left: it is closed, or being closed */
  public boolean retain() {
    int n;
    do {
      n = users.get();
      if (n == 0) {
        return false;
      }
    } while (!users.compareAndSet(n, n + 1));
    return true;
  }

  /** Adds a user on behalf of an existing one. @throws IllegalStateException if there is none */
  public void share() {
    if (!retain()) {
      throw new IllegalStateException("shared after the last user released it");
    }
  }

  /** @return whether there is only one user. */
  public boolean isLast() {
    return users.get() == 1;
  }

  /** Removes a user. @return true if it was the last, which has to close */
  public boolean release() {
    return users.decrementAndGet() == 0;
  }
}
