/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;

/**
 * Adds up what the directories may take, for several may be on one file system. While the DataNode
 * runs, {@link SpaceKeeper} sees to what others do to the space.
 */
final class SpaceCheck {

  private final LocalCacheConfig config;
  /** Bytes promised to pages, by file system. */
  private final Map<FileStore, Long> promised = new HashMap<>();
  /** The same for directories without pages, whose space must be free now. */
  private final Map<FileStore, Long> needed = new HashMap<>();

  SpaceCheck(LocalCacheConfig config) {
    this.config = config;
  }

  /** Adds a directory. @throws BadConfigurationException if there is no space for it */
  void add(Path directory) throws IOException {
    FileStore disk = Files.getFileStore(directory);
    long total = directory.toFile().getTotalSpace();
    long capacity = config.capacity().on(total);
    if (capacity < LocalCacheConfig.minCapacity(config.pageSize())) {
      throw DirectoryCheck.bad(directory, "must be on a larger disk: "
          + LocalCacheKeys.CAPACITY + " = " + config.capacity() + " is " + capacity
          + " bytes of it, which is less than "
          + LocalCacheConfig.minCapacity(config.pageSize()), null);
    }
    // With pages of before the restart nobody knows, before millions of files have been looked at,
    // how much of the space is taken by the pages themselves.
    if (!PageTree.hasPages(directory)) {
      require(directory, needed.merge(disk, capacity, Long::sum),
          directory.toFile().getUsableSpace(), "bytes free, but has ");
    }
    require(directory, promised.merge(disk, capacity, Long::sum), total,
        "bytes on its disk, but that has ");
  }

  private void require(Path directory, long bytes, long available, String what)
      throws BadConfigurationException {
    if (bytes + config.reservedBytes() > available) {
      throw DirectoryCheck.bad(directory, "must have " + LocalCacheKeys.CAPACITY + " = "
          + config.capacity() + " and " + LocalCacheKeys.RESERVED + " = " + config.reservedBytes()
          + ", with other directories on the same disk " + (bytes + config.reservedBytes()) + ' '
          + what + available, null);
    }
  }
}
