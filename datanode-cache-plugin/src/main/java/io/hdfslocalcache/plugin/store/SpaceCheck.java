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

  /**
   * What a directory is on.
   *
   * @param store the file system
   * @param total its size in bytes
   * @param usable bytes that could be written to it now
   * @param hasPages whether there are pages in the directory already
   */
  record Disk(FileStore store, long total, long usable, boolean hasPages) {

    /** Looks. */
    static Disk of(Path directory) throws IOException {
      return new Disk(Files.getFileStore(directory), directory.toFile().getTotalSpace(),
          directory.toFile().getUsableSpace(), PageTree.hasPages(directory));
    }
  }

  /** Adds a directory. @throws BadConfigurationException if there is no space for it */
  void add(Path directory, Disk disk) throws BadConfigurationException {
    long capacity = config.capacity().on(disk.total());
    if (capacity < LocalCacheConfig.minCapacity(config.pageSize())) {
      throw DirectoryCheck.bad(directory, "must be on a larger disk: "
          + LocalCacheKeys.CAPACITY + " = " + config.capacity() + " is " + capacity
          + " bytes of it, which is less than "
          + LocalCacheConfig.minCapacity(config.pageSize()), null);
    }
    // With pages of before the restart nobody knows, before millions of files have been looked at,
    // how much of the space is taken by the pages themselves.
    if (!disk.hasPages()) {
      require(directory, needed.merge(disk.store(), capacity, Long::sum),
          disk.usable(), "bytes free, but has ");
    }
    require(directory, promised.merge(disk.store(), capacity, Long::sum), disk.total(),
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
