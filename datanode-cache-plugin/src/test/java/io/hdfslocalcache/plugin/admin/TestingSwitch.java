/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.settings.OnOff;

/** A switch that remembers why it was switched. */
final class TestingSwitch extends OnOff {
  private volatile String why = "";
  private volatile String description = "";

  TestingSwitch(boolean on) {
    super(on, true, new LocalCacheMetrics());
  }

  @Override
  public void setOn(boolean newState, String newWhy) {
    super.setOn(newState, newWhy);
    why = newWhy;
  }

  @Override
  public String describe() {
    return description;
  }

  /** The reason of the last call of {@link #setOn}, empty when there was none. */
  String why() {
    return why;
  }

  void describeAs(String newDescription) {
    description = newDescription;
  }
}
