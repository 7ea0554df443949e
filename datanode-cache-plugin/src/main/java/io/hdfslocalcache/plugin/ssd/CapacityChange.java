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
 * Another capacity for all SSDs while they are in use: first checked, then put in force. Waits for
 * no SSD: how large each is was found out when it was opened.
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
   * Checks whether the SSDs have the space. Changes nothing. An SSD that cannot be used yet, or is
   * drained, is passed over.
   *
   * @param capacity as it shall be
   * @throws BadConfigurationException if there is an SSD that is too small
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

  /** Puts it in force: more can be used at once, for less pages leave in the background. */
  public void apply() {
    directories.configure(config, space, capacities);
  }
}
