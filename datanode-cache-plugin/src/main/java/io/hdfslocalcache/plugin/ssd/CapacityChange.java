/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.ssd.mount.SsdHome;
import io.hdfslocalcache.plugin.ssd.space.SpaceCheck;

/** Another capacity for all SSDs while they are in use: first checked, then put in force. */
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
   * @param config with the capacity as it shall be
   * @throws BadConfigurationException if there is an SSD that is too small, or does not answer
   */
  public static CapacityChange of(SsdDirectories directories, LocalCacheConfig config)
      throws BadConfigurationException {
    long patience = config.healthLimits().writeDeadlineNanos();
    Map<SsdDirectory, Attempt<SpaceCheck.Disk>> attempts = new LinkedHashMap<>();
    directories.all().stream().filter(ssd -> directories.inUse().contains(ssd.path()))
        .forEach(ssd -> attempts.put(ssd, new Attempt<>(
            "local-cache-check-" + ssd.path(), patience, () -> disk(ssd))));
    Map<SsdDirectory, Long> capacities = new LinkedHashMap<>();
    SpaceCheck space = new SpaceCheck(config);
    for (SsdDirectory ssd : attempts.keySet()) {
      try {
        SpaceCheck.Disk disk = attempts.get(ssd).get();
        space.add(ssd.path(), disk);
        capacities.put(ssd, config.capacity().on(disk.total()));
      } catch (BadConfigurationException e) {
        throw e;
      } catch (IOException e) {
        throw new BadConfigurationException(LocalCacheKeys.CAPACITY, config.capacity().toString(),
            "cannot be checked, for " + ssd.path() + " fails: " + e.getMessage());
      }
    }
    return new CapacityChange(directories, config, space, capacities);
  }

  /** What is free now does not matter: SpaceKeeper lets pages take no more than there is. */
  private static SpaceCheck.Disk disk(SsdDirectory ssd) throws IOException {
    if (!ssd.isThere()) {
      // What shows in its place may be another file system, of another size.
      throw new IOException(SsdHome.missing(ssd.path()));
    }
    return new SpaceCheck.Disk(Files.getFileStore(ssd.path()),
        ssd.path().toFile().getTotalSpace(), 0, true);
  }

  /** @return bytes that pages may take on all SSDs. */
  public long bytes() {
    return capacities.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Puts it in force: more can be used at once, for less pages leave in the background. */
  public void apply() {
    directories.configure(config, space);
    capacities.forEach(SsdDirectory::setCapacity);
  }
}
