/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.Capacity;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.ssd.space.SpaceCheck;

/**
 * A change of the capacity of all SSDs while they are in use: checked first, then applied. Waits
 * for no SSD: the size of each is known from when it was opened.
 */
public final class CapacityChange {

  private final SsdDirectories directories;
  private final LocalCacheConfig config;
  private final SpaceCheck space;
  private final Map<SsdDirectory, Long> capacities;

  private CapacityChange(SsdDirectories directories, LocalCacheConfig config, SpaceCheck space,
      Map<SsdDirectory, Long> capacities) {
    this.directories = directories;
    this.config = config;
    this.space = space;
    this.capacities = capacities;
  }

  /**
   * Checks whether the SSDs have the space. Changes nothing. Skips SSDs that are drained or cannot
   * be used yet.
   *
   * @param capacity the new capacity
   * @throws BadConfigurationException if an SSD is too small
   */
  public static CapacityChange of(SsdDirectories directories, Capacity capacity)
      throws BadConfigurationException {
    LocalCacheConfig config = directories.opener().config().withCapacity(capacity);
    List<Path> inUse = directories.inUse();
    List<SsdDirectory> ssds =
        directories.all().stream().filter(ssd -> inUse.contains(ssd.path())).toList();
    SpaceCheck space = directories.opener().space()
        .with(config, ssds.stream().map(SsdDirectory::path).toList());
    Map<SsdDirectory, Long> capacities = new LinkedHashMap<>();
    ssds.forEach(ssd -> capacities.put(ssd, space.promisedTo(ssd.path())));
    return new CapacityChange(directories, config, space, capacities);
  }

  /** @return bytes that pages may take on all SSDs. */
  public long bytes() {
    return capacities.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Applies the change. If the capacity is lower, pages are evicted in the background. */
  public void apply() {
    directories.configure(config, space, capacities);
  }
}
