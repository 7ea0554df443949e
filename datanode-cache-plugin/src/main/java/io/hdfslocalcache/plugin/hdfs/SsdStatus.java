/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import io.hdfslocalcache.plugin.ssd.SsdReport;

/** One SSD as {@link LocalCacheMXBean} shows it. */
public final class SsdStatus {

  private final SsdReport ssd;

  SsdStatus(SsdReport ssd) {
    this.ssd = ssd;
  }

  /** @return the directory as configured. */
  public String getPath() {
    return ssd.directory().toString();
  }

  /** @return NORMAL, DEGRADED, PROBING or DOWN. */
  public String getState() {
    return ssd.state().name();
  }

  /** @return why the state is not NORMAL; empty if it is. */
  public String getReason() {
    return ssd.reason();
  }

  /** @return bytes that page files take. */
  public long getUsedBytes() {
    return ssd.usedBytes();
  }

  /** @return number of cached pages. */
  public long getPages() {
    return ssd.pages();
  }

  /** @return bytes that page files may take. */
  public long getCapacityBytes() {
    return ssd.capacityBytes();
  }
}
