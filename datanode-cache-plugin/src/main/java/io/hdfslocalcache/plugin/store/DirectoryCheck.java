/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.Set;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;

/**
 * Looks, while the DataNode starts, whether the configured directories can hold pages. An operator
 * who mistyped one shall read it now, and not in a metric next week.
 */
public final class DirectoryCheck {

  static final Set<PosixFilePermission> MODE_700 = PosixFilePermissions.fromString("rwx------");

  private DirectoryCheck() {
  }

  /**
   * Checks every directory, and creates those that are missing.
   *
   * @param dataDirectories where the DataNode keeps its replicas
   * @throws BadConfigurationException if one cannot be used
   */
  public static void check(LocalCacheConfig config, Collection<URI> dataDirectories)
      throws BadConfigurationException {
    for (Path directory : config.directories()) {
      try {
        createAndCheck(directory);
        checkOutside(directory.toRealPath(), dataDirectories);
        checkSpace(directory, config.capacityBytes());
      } catch (BadConfigurationException e) {
        throw e;
      } catch (IOException e) {
        throw bad(directory, "must be a directory that the DataNode can use or create: " + e, e);
      }
    }
  }

  private static void createAndCheck(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(MODE_700));
    }
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw bad(directory, "must be a directory, and not a link to one", null);
    }
    try {
      Files.setPosixFilePermissions(directory, MODE_700);
      // Asking for permissions is not enough: a file system mounted read-only grants them all.
      Files.delete(Files.createTempFile(directory, "check", ".tmp"));
    } catch (IOException e) {
      throw bad(directory, "must be writable by the DataNode's user, who must own it: " + e, e);
    }
  }

  private static void checkOutside(Path directory, Collection<URI> dataDirectories)
      throws IOException {
    for (URI uri : dataDirectories) {
      Path data = new File(uri.getPath()).toPath().toAbsolutePath().normalize();
      data = Files.exists(data) ? data.toRealPath() : data;
      if (directory.startsWith(data) || data.startsWith(directory)) {
        throw bad(directory, "must be neither inside nor around a directory of "
            + "dfs.datanode.data.dir (" + data + ")", null);
      }
    }
  }

  private static void checkSpace(Path directory, long capacity) throws IOException {
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free < capacity) {
      // Space that our own leftovers take counts as free: they are cleared at start.
      free += PageTree.bytesIn(directory);
    }
    if (free < capacity) {
      throw bad(directory, "must have " + LocalCacheKeys.CAPACITY + " = " + capacity
          + " bytes free, but has " + free, null);
    }
  }

  private static BadConfigurationException bad(Path directory, String allowed, IOException cause) {
    return new BadConfigurationException(
        LocalCacheKeys.DIRECTORIES, directory.toString(), allowed, cause);
  }
}
