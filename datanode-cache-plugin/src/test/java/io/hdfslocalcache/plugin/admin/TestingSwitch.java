/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

/** A switch that switches nothing but remembers why. */
final class TestingSwitch implements LocalCacheSwitch {
  private volatile boolean on;
  private volatile String why = "";
  private volatile String description = "";

  TestingSwitch(boolean on) {
    this.on = on;
  }

  @Override
  public boolean isOn() {
    return on;
  }

  @Override
  public void setOn(boolean on, String why) {
    this.on = on;
    this.why = why;
  }

  @Override
  public String describe() {
    return description;
  }

  /** The reason of the last call of {@link #setOn}, empty when there was none. */
  String why() {
    return why;
  }

  void describeAs(String description) {
    this.description = description;
  }
}
