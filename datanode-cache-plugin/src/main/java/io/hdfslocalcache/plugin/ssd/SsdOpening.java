/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.ssd.mount.DirectoryCheck;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.plugin.ssd.space.SpaceCheck;

/** Opens the SSDs of a DataNode, when it starts and later. */
final class SsdOpening {

  private final String datanodeUuid;
  private final PageListener listener;
  private volatile LocalCacheConfig config;
  private volatile SpaceCheck space;

  SsdOpening(LocalCacheConfig config, String datanodeUuid, PageListener listener) {
    this.datanodeUuid = datanodeUuid;
    this.listener = listener;
    configure(config, new SpaceCheck(config));
  }

  /** From now on SSDs are opened with other settings. @param newSpace with what is open already */
  void configure(LocalCacheConfig newConfig, SpaceCheck newSpace) {
    config = newConfig;
    space = newSpace;
  }

  /** @return the settings. */
  LocalCacheConfig config() {
    return config;
  }

  /** @return who hears of what happens on the SSDs. */
  PageListener listener() {
    return listener;
  }

  /**
   * Opens a directory; may wait for its SSD.
   *
   * @throws BadConfigurationException if it can never be used
   * @throws IOException if its SSD is not there, is too small, or fails
   */
  SsdDirectory open(Path path) throws IOException {
    LocalCacheConfig now = config;
    SpaceCheck.Disk disk = DirectoryCheck.prepare(path, now.requireMount());
    try {
      space.add(path, disk);
    } catch (BadConfigurationException e) {
      // Another, smaller file system may be where the SSD should be.
      throw new IOException(e.getMessage(), e);
    }
    SsdDirectory.Limits limits = new SsdDirectory.Limits(now.capacity().on(disk.total()),
        now.reservedBytes(), now.pageSize());
    return SsdDirectory.open(path, datanodeUuid, limits, now.restore(), io(path, now), listener);
  }

  private SsdIo io(Path path, LocalCacheConfig now) {
    SsdHealth health = new SsdHealth(now.healthLimits(), System::nanoTime,
        (before, after, reason) -> listener.healthChanged(path, before, after, reason));
    return new SsdIo(path.toString(), now.ioThreads(), now.healthLimits(), health);
  }
}
