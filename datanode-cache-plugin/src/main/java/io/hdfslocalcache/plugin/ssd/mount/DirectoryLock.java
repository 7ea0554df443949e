/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.hdfslocalcache.plugin.ssd.file.Existing;
import io.hdfslocalcache.plugin.ssd.file.PageTree;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;

/**
 * The lock of a whole configured directory, like {@code in_use.lock} in data directories: no other
 * DataNode uses what is locked. Version 1.0.0 locks only its own part.
 */
public final class DirectoryLock implements Closeable {

  private static final String FILE = "in_use.lock";
  /** Levels of directories below one that are looked through for those of another DataNode. */
  private static final int LEVELS_BELOW = 2;
  /** Owner of a lock that is taken only to see whether it is free. */
  private static final String CHECK = "";
  /**
   * The locks whose files this process has open, by directory. POSIX drops a lock as soon as any
   * descriptor of its file is closed, so no file is opened twice.
   */
  private static final Map<Object, DirectoryLock> OPEN = new ConcurrentHashMap<>();

  private final Object directory;
  private final String owner;
  private FileChannel file;

  private DirectoryLock(Object directory, String owner) {
    this.directory = directory;
    this.owner = owner;
  }

  /**
   * Locks a directory. Changes nothing if another DataNode has the lock.
   *
   * @throws UnusableDirectoryException if another DataNode uses it
   * @throws IOException if its SSD fails, or does not yet let go of it
   */
  static DirectoryLock take(Path configured, String datanodeUuid) throws IOException {
    requirePartsFree(configured);
    return take(configured, configured, datanodeUuid);
  }

  /** @throws UnusableDirectoryException if another DataNode uses a directory */
  static void requireFree(Path configured) throws IOException {
    requirePartsFree(configured);
    requireFree(configured, configured);
  }

  private static void requirePartsFree(Path configured) throws IOException {
    for (Path part : PageTree.dataNodes(configured)) {
      if (Existing.isAnything(part.resolve(FILE))) {
        requireFree(configured, part);
      }
    }
  }

  /** @throws UnusableDirectoryException if another DataNode uses a directory above or below it */
  public static void requireOutside(Path configured) throws IOException {
    requireFreeBelow(configured, configured, LEVELS_BELOW);
    for (Path above = configured.getParent(); above != null; above = above.getParent()) {
      if (Existing.isAnything(above.resolve(FILE))) {
        requireFree(configured, above);
      }
    }
  }

  private static void requireFreeBelow(Path configured, Path directory, int levels)
      throws IOException {
    try {
      if (!Existing.isDirectory(directory)) {
        return;
      }
      if (!directory.equals(configured) && Existing.isAnything(directory.resolve(FILE))) {
        requireFree(configured, directory);
      } else if (levels > 0) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
          for (Path below : all) {
            requireFreeBelow(configured, below, levels - 1);
          }
        }
      }
    } catch (AccessDeniedException e) {
      // A directory of another user, such as lost+found.
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static void requireFree(Path configured, Path directory) throws IOException {
    DirectoryLock lock = take(configured, directory, CHECK);
    if (lock != null) {
      lock.close();
    }
  }

  /** @return null if another check sees right now whether it is free. */
  private static DirectoryLock take(Path configured, Path directory, String owner)
      throws IOException {
    Path path = directory.resolve(FILE);
    Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    DirectoryLock lock = new DirectoryLock(key, owner);
    DirectoryLock other = OPEN.putIfAbsent(key, lock);
    if (other == null) {
      try {
        lock.file = open(configured, path);
        return lock;
      } finally {
        if (lock.file == null) {
          OPEN.remove(key, lock);
        }
      }
    }
    if (!other.owner.equals(CHECK) && !other.owner.equals(owner)) {
      throw isUsed(configured, path);
    }
    if (owner.equals(CHECK)) {
      return null;
    }
    throw new IOException(other.owner.equals(CHECK) ? path + " is being checked"
        : "the SSD has not yet closed " + path);
  }

  private static FileChannel open(Path configured, Path path) throws IOException {
    FileChannel file = PrivateFiles.createOrOpen(path);
    boolean isLocked = false;
    try {
      isLocked = file.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // Somebody else in this process has it.
    } finally {
      if (!isLocked) {
        file.close();
      }
    }
    if (!isLocked) {
      throw isUsed(configured, path);
    }
    return file;
  }

  private static IOException isUsed(Path configured, Path path) {
    return DirectoryCheck.bad(configured, "must be the DataNode's own, but " + path
        + " is locked by another DataNode: each needs a directory of its own");
  }

  /** May be called again, when others have the lock. */
  @Override
  public void close() throws IOException {
    try {
      file.close();
    } finally {
      OPEN.remove(directory, this);
    }
  }
}
