/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Directory;
import io.hdfslocalcache.plugin.store.SsdDirectories;
import io.hdfslocalcache.plugin.store.SsdDirectory;

/** One SSD as {@link LocalCacheMXBean} shows it. */
public final class SsdStatus {

  private final String path;
  private final String state;
  private final String reason;
  private final long usedBytes;
  private final long capacityBytes;
  private final long pages;

  SsdStatus(SsdDirectory directory) {
    this.path = directory.path().toString();
    this.state = directory.io().health().state().name();
    this.reason = directory.io().health().reason();
    this.usedBytes = directory.usedBytes();
    this.capacityBytes = directory.capacityBytes();
    this.pages = directory.pages().count();
  }

  /** One that could not be opened. */
  SsdStatus(Path directory, String reason) {
    this.path = directory.toString();
    this.state = SsdState.DOWN.name();
    this.reason = reason;
    this.usedBytes = 0;
    this.capacityBytes = 0;
    this.pages = 0;
  }

  /** @return all SSDs, those that could not be opened last. */
  static List<SsdStatus> all(SsdDirectories directories) {
    List<SsdStatus> all = new ArrayList<>();
    directories.all().forEach(ssd -> all.add(new SsdStatus(ssd)));
    directories.dead().forEach((path, reason) -> all.add(new SsdStatus(path, reason)));
    return all;
  }

  /** @return the same for the metrics. */
  static List<Directory> figures(SsdDirectories directories) {
    List<Directory> all = new ArrayList<>();
    directories.all().forEach(ssd -> all.add(new Directory(ssd.path().toString(),
        ssd.usedBytes(), ssd.capacityBytes(), ssd.io().health().state().ordinal(),
        ssd.io().activeThreads())));
    directories.dead().forEach((path, reason) -> all.add(
        new Directory(path.toString(), 0, 0, SsdState.DOWN.ordinal(), 0)));
    return all;
  }

  /** @return the directory as configured. */
  public String getPath() {
    return path;
  }

  /** @return NORMAL, DEGRADED, PROBING or DOWN. */
  public String getState() {
    return state;
  }

  /** @return why the state is not NORMAL; empty if it is. */
  public String getReason() {
    return reason;
  }

  /** @return bytes that page files take. */
  public long getUsedBytes() {
    return usedBytes;
  }

  /** @return number of cached pages. */
  public long getPages() {
    return pages;
  }

  /** @return bytes that page files may take. */
  public long getCapacityBytes() {
    return capacityBytes;
  }
}
