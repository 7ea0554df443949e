/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.util.concurrent.TimeUnit;

/** Budgets for tests of something else. */
public final class Budgets {

  private Budgets() {
  }

  /** @return the budget of a read of an idle volume, by the real clock. */
  public static WaitBudget of(long time, TimeUnit unit) {
    return new WaitBudget(unit.toNanos(time), System::nanoTime, bytes -> 0);
  }

  /** @return a budget that lasts longer than a test. */
  public static WaitBudget ample() {
    return of(2, TimeUnit.MINUTES);
  }
}
