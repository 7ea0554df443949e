/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SSDs of a DataNode. All pages of a block are on the same one. */
public final class SsdDirectories implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(SsdDirectories.class);

  private final List<SsdDirectory> directories;

  private SsdDirectories(List<SsdDirectory> directories) {
    this.directories = List.copyOf(directories);
  }

  /**
   * Opens all configured directories.
   *
   * @throws IOException if one cannot be opened; then none stays open
   */
  public static SsdDirectories open(LocalCacheConfig config, String datanodeUuid,
      PageListener listener) throws IOException {
    List<SsdDirectory> opened = new ArrayList<>();
    try {
      for (var path : config.directories()) {
        opened.add(SsdDirectory.open(path, datanodeUuid, config.capacityBytes(),
            config.pageSize(), config.openFiles(), listener));
      }
      return new SsdDirectories(opened);
    } catch (IOException | RuntimeException e) {
      opened.forEach(IOUtils::closeStream);
      throw e;
    }
  }

  /** @return the SSD for the pages of a block. */
  public SsdDirectory of(BlockKey key) {
    long mixed = (key.blockId() ^ key.blockPoolId().hashCode()) * 0x9E3779B97F4A7C15L;
    return directories.get((int) ((mixed >>> 33) % directories.size()));
  }

  /** @return all SSDs. */
  public List<SsdDirectory> all() {
    return directories;
  }

  @Override
  public void close() {
    IOUtils.cleanupWithLogger(LOG, directories.toArray(new SsdDirectory[0]));
  }
}
