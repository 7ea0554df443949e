/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.settings.OnOff;

/** A switch with no local cache behind it. */
final class TestingSwitch extends OnOff {
  private volatile boolean disobedient;
  private volatile String description = "";

  TestingSwitch() {
    super(false, true, new LocalCacheMetrics());
  }

  @Override
  public void setOn(boolean on, String why) {
    if (!disobedient) {
      super.setOn(on, why);
    }
  }

  @Override
  public String describe() {
    return description;
  }

  void describeAs(String newDescription) {
    description = newDescription;
  }

  /** From now on {@link #setOn} does nothing. */
  void disobey() {
    disobedient = true;
  }

  /** Off, silent and obedient. */
  void reset() {
    disobedient = false;
    setOn(false, "by the test");
    description = "";
  }
}
