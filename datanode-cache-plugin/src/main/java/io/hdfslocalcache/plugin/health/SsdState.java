/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

/** The state of an SSD, in order of severity. */
public enum SsdState {
  /** Pages are read and filled. */
  NORMAL(true, true),
  /** Pages are read but not filled: the SSD cannot be written, or is slow. */
  DEGRADED(true, false),
  /** As {@link #DOWN}, but the last probe succeeded. */
  PROBING(false, false),
  /** Only probes use the SSD: it failed, returned corrupt data, or hung. */
  DOWN(false, false);

  private final boolean readable;
  private final boolean fillable;

  SsdState(boolean readable, boolean fillable) {
    this.readable = readable;
    this.fillable = fillable;
  }

  /** @return whether pages may be read. */
  public boolean isReadable() {
    return readable;
  }

  /** @return whether pages may be written. */
  public boolean isFillable() {
    return fillable;
  }
}
