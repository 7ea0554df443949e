/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import io.hdfslocalcache.plugin.admin.LocalCacheSwitch;

/** A switch with no local cache behind it. */
final class TestingSwitch implements LocalCacheSwitch {
  private volatile boolean on;
  private volatile boolean disobedient;
  private volatile String description = "";

  @Override
  public boolean isOn() {
    return on;
  }

  @Override
  public void setOn(boolean on, String why) {
    if (!disobedient) {
      this.on = on;
    }
  }

  @Override
  public String describe() {
    return description;
  }

  void describeAs(String description) {
    this.description = description;
  }

  /** From now on {@link #setOn} does nothing. */
  void disobey() {
    disobedient = true;
  }

  /** Off, silent and obedient. */
  void reset() {
    on = false;
    disobedient = false;
    description = "";
  }
}
