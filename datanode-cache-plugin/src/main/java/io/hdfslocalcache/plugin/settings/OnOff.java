/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.settings;

import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's switch of one DataNode. It starts as configured or as {@link #keep saved}; other
 * changes are lost at a restart. In a dry run nothing is served from an SSD, and it switches only
 * the counting of reads. Only {@link #keep} waits for a disk.
 */
public class OnOff {

  private static final Logger LOG = LoggerFactory.getLogger(OnOff.class);

  /** What a DataNode waits for before its local cache is open. */
  public static final String STARTING = "waiting for its NameNode, then for the SSDs";

  private final boolean configured;
  private final boolean isDryRun;
  private final boolean isPossible;
  private final LocalCacheMetrics metrics;
  private volatile Consumer<Boolean> listener = state -> { };
  /** Saves a state for restarts. */
  private volatile ConsumerRaisingIOE<Boolean> keeper = state -> {
    throw new IOException(notOpen());
  };
  /** Whether what is saved may not be known, or not be found, and why; empty if neither. */
  private volatile Supplier<String> doubt = () -> "";
  /** Whether newer state may be saved where it cannot be read; empty if not. */
  private volatile Supplier<String> perhapsNewer = () -> "";
  private volatile boolean on;
  /** The state to which a restart returns. */
  private volatile boolean kept;
  /** Whether a command has switched since the start, perhaps to the state of before. */
  private volatile boolean isCommanded;

  /**
   * @param on the initial state, to which a restart returns unless another is saved
   * @param hasSsds whether the local cache is configured so that it can be on
   */
  public OnOff(boolean on, boolean hasSsds, LocalCacheMetrics metrics) {
    this(on, hasSsds, false, metrics);
  }

  private OnOff(boolean on, boolean isPossible, boolean isDryRun, LocalCacheMetrics metrics) {
    this.configured = on;
    this.kept = on;
    this.on = on;
    this.isPossible = isPossible;
    this.isDryRun = isDryRun;
    this.metrics = metrics;
  }

  /** @return the switch of a dry run, which begins on. */
  public static OnOff ofDryRun(LocalCacheMetrics metrics) {
    return new OnOff(true, true, true, metrics);
  }

  /** Tells a listener the state, now and after each change. @param newListener must return soon */
  public synchronized void tell(Consumer<Boolean> newListener) {
    listener = newListener;
    newListener.accept(on);
  }

  /** @return whether the local cache handles reads now. */
  public boolean isOn() {
    return on;
  }

  /** @return whether a command has switched since the start, so that no saved state will. */
  public boolean isCommanded() {
    return isCommanded;
  }

  /**
   * Switches the local cache for the next reads, and for reads in progress at their next page. A
   * restart returns to {@code dfs.datanode.local.cache.enabled}, or to the {@link #keep saved}
   * state. Switching to the present state changes nothing.
   *
   * @param newState the new state
   * @param why who asked for it, for the log
   */
  public synchronized void setOn(boolean newState, String why) {
    isCommanded = true;
    switchTo(newState, why);
  }

  private void switchTo(boolean newState, String why) {
    if (newState && !isPossible) {
      LOG.warn("Local cache stays off: {}: {}", describe(), why);
    } else if (newState != on) {
      on = newState;
      metrics.count(Event.SWITCHES);
      metrics.recent().add("switched " + (newState ? "on" : "off") + ": " + why);
      LOG.info("Local cache switched {}: {}", newState ? "on" : "off", why);
      listener.accept(newState);
    }
  }

  /** @return why the local cache is not open. */
  public String notOpen() {
    return isPossible ? "the DataNode is still starting: " + STARTING
        : LocalCacheKeys.DIRECTORIES + " names no directory";
  }

  /**
   * Saves states from now on.
   *
   * @param newKeeper as {@link #keep} uses it; may wait for an SSD
   * @param newDoubt that what is saved may not be known, or not be found, and why; empty if neither
   * @param newPerhapsNewer where newer state may be saved that cannot be read; empty if nowhere
   */
  void keepWith(ConsumerRaisingIOE<Boolean> newKeeper, Supplier<String> newDoubt,
      Supplier<String> newPerhapsNewer) {
    keeper = newKeeper;
    doubt = newDoubt;
    perhapsNewer = newPerhapsNewer;
  }

  /**
   * Saves a state for restarts, until the configured one changes. Does not switch now. May wait for
   * an SSD, as long as a write may take.
   *
   * @throws IllegalArgumentException if it cannot be saved; nothing was changed
   */
  public void keep(boolean state) {
    try {
      if (isDryRun) {
        throw new IOException("a dry run saves nothing, and begins on");
      }
      keeper.accept(state);
    } catch (IOException e) {
      throw new IllegalArgumentException((state ? "on" : "off") + " cannot be saved, so nothing was "
          + "changed: " + e.getMessage() + "; without --persist, it need not be saved", e);
    }
    kept = state;
  }

  /**
   * Applies the state that was saved before the restart, unless a command has switched since.
   *
   * @param saved null: none, so the configured one counts
   */
  synchronized void restore(Boolean saved) {
    kept = saved == null ? configured : saved;
    if (!isCommanded) {
      switchTo(kept, "set by an earlier command");
    }
  }

  /** @return that what is saved may not be known, or not be found, and why; empty if neither. */
  public String doubt() {
    return doubt.get();
  }

  /** @return what an operator should know beyond on or off, in one line; may be empty. */
  public String describe() {
    if (isDryRun) {
      return "(dry run: reads are " + (on ? "only" : "not") + " counted)";
    }
    if (!isPossible) {
      return "(" + notOpen() + ")";
    }
    String restart = on != kept ? "until the DataNode restarts" : on == configured ? ""
        : "saved for restarts, configured is " + (configured ? "on" : "off");
    String doubtful = doubt();
    String why = doubtful.isEmpty() ? perhapsNewer.get() : doubtful;
    String both = restart.isEmpty() || why.isEmpty() ? restart + why : restart + "; but " + why;
    return both.isEmpty() ? "" : "(" + both + ")";
  }

  /** @return whether the configuration lets the local cache be on. */
  public boolean isPossible() {
    return isPossible;
  }

  /** @return whether this is a dry run: reads are only counted, and no SSD is used. */
  public boolean isDryRun() {
    return isDryRun;
  }
}
