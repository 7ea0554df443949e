/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;

/** Keeps a second DataNode out of a directory, as {@code in_use.lock} does in data directories. */
final class DirectoryLock implements Closeable {

  private final FileChannel file;

  private DirectoryLock(FileChannel file) {
    this.file = file;
  }

  /**
   * @param configured the directory in the configuration
   * @param directory this DataNode's part of it
   * @throws BadConfigurationException if another process, or another DataNode of this one, has the
   *     lock
   */
  static DirectoryLock take(Path configured, Path directory) throws IOException {
    Path path = directory.resolve("in_use.lock");
    FileChannel file = PrivateFiles.createOrOpen(path);
    try {
      FileLock lock = file.tryLock();
      if (lock != null) {
        return new DirectoryLock(file);
      }
    } catch (OverlappingFileLockException e) {
      // Said below.
    }
    file.close();
    throw DirectoryCheck.bad(configured, "must not be in use, but " + path
        + " is locked by another DataNode");
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
