/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operator's switch. Begins as configured, and forgets at a restart. */
public final class OnOff implements LocalCacheSwitch {

  private static final Logger LOG = LoggerFactory.getLogger(OnOff.class);

  private final BooleanSupplier possible;
  private final LocalCacheMetrics metrics;
  private volatile Consumer<Boolean> listener = state -> { };
  private volatile boolean on;

  /**
   * @param on the state to begin with
   * @param possible whether the local cache is configured so that it can be on
   */
  public OnOff(boolean on, BooleanSupplier possible, LocalCacheMetrics metrics) {
    this.on = on;
    this.possible = possible;
    this.metrics = metrics;
  }

  /** Tells the state, now and after each change. @param newListener must return soon */
  public synchronized void tell(Consumer<Boolean> newListener) {
    listener = newListener;
    newListener.accept(on);
  }

  @Override
  public boolean isOn() {
    return on;
  }

  @Override
  public synchronized void setOn(boolean newState, String why) {
    if (newState && !possible.getAsBoolean()) {
      LOG.warn("Local cache stays off: {}: {}", describe(), why);
    } else if (newState != on) {
      on = newState;
      metrics.count(Event.SWITCHES);
      LOG.info("Local cache switched {}: {}", newState ? "on" : "off", why);
      listener.accept(newState);
    }
  }

  @Override
  public String describe() {
    return possible.getAsBoolean() ? "" : "(" + LocalCacheKeys.DIRECTORIES + " names no directory)";
  }
}
