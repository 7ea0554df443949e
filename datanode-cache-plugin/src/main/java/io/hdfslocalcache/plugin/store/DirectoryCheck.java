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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.health.Attempt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, while the DataNode starts, whether the configured directories can hold pages. An operator
 * who mistyped one shall read it now, and not in a metric next week.
 */
public final class DirectoryCheck {

  static final Set<PosixFilePermission> MODE_700 = PosixFilePermissions.fromString("rwx------");

  private static final Logger LOG = LoggerFactory.getLogger(DirectoryCheck.class);
  private static final int STICKY = 01000;
  private static final int GROUP_WRITE = 020;
  private static final int OTHERS_WRITE = 02;
  private static final int MODE = 07777;

  private DirectoryCheck() {
  }

  /**
   * Checks every directory, and creates those that are missing. One on an SSD that is broken, or
   * that does not answer in the time that a write may take, is passed over.
   *
   * @param dataDirectories where the DataNode keeps its replicas
   * @throws BadConfigurationException if one cannot be used
   */
  public static void check(LocalCacheConfig config, Collection<URI> dataDirectories)
      throws BadConfigurationException {
    Map<Path, Attempt<SpaceCheck.Disk>> attempts = new LinkedHashMap<>();
    config.directories().forEach(directory -> attempts.put(directory, new Attempt<>(
        "local-cache-check-" + directory, () -> check(directory, dataDirectories))));
    SpaceCheck space = new SpaceCheck(config);
    long patience = config.healthLimits().writeDeadlineNanos();
    long deadline = System.nanoTime() + patience;
    for (Path directory : attempts.keySet()) {
      try {
        space.add(directory, attempts.get(directory).get(deadline, patience));
      } catch (IOException e) {
        if (DeadSsd.shows(e)) {
          LOG.error("Local cache: {} is on a broken SSD: it is left out until the DataNode is "
              + "started again", directory, e);
          continue;
        }
        if (e instanceof BadConfigurationException bad) {
          throw bad;
        }
        throw bad(directory, "must be a directory that the DataNode can use or create: " + e, e);
      }
    }
  }

  private static SpaceCheck.Disk check(Path directory, Collection<URI> dataDirectories)
      throws IOException {
    createAndCheck(directory);
    checkOutside(directory.toRealPath(), dataDirectories);
    return SpaceCheck.Disk.of(directory);
  }

  private static void createAndCheck(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      PrivateFiles.createDirectories(directory);
    }
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw bad(directory, "must be a directory, and not a link to one", null);
    }
    checkAbove(directory.toRealPath());
    try {
      // Asking for permissions is not enough: a file system mounted read-only grants them all.
      Path file = Files.createTempFile(directory, "check", ".tmp");
      String user = Files.getOwner(file).getName();
      Files.delete(file);
      checkOwner(directory, user);
      Files.setPosixFilePermissions(directory, MODE_700);
    } catch (BadConfigurationException e) {
      throw e;
    } catch (IOException e) {
      throw bad(directory, "must be writable by the DataNode's user, who must own it: " + e, e);
    }
  }

  private static void checkOwner(Path directory, String user) throws IOException {
    String owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName();
    if (!owner.equals(user)) {
      throw bad(directory, "must belong to the DataNode's user " + user + ", but belongs to "
          + owner, null);
    }
  }

  /** Who may rename the directory could put another in its place. */
  private static void checkAbove(Path directory) throws IOException {
    for (Path above = directory.getParent(); above != null; above = above.getParent()) {
      int mode = (Integer) Files.getAttribute(above, "unix:mode");
      if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
        throw bad(directory, "must not be below a directory that every user may change (" + above
            + " has mode " + Integer.toOctalString(mode & MODE) + ")", null);
      }
      if ((mode & GROUP_WRITE) != 0 && (mode & STICKY) == 0) {
        LOG.warn("Local cache: the group of {} may put something else in the place of {}", above,
            directory);
      }
    }
  }

  /**
   * Makes sure, before anything in it is touched, that a DataNode's part of a configured directory
   * is its own, and for nobody else to look at.
   *
   * @throws IOException if it is a link, or belongs to somebody else
   */
  static void checkOwned(Path root) throws IOException {
    if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(root + " is a link, or no directory");
    }
    String owner = Files.getOwner(root, LinkOption.NOFOLLOW_LINKS).getName();
    String parents = Files.getOwner(root.getParent()).getName();
    if (!owner.equals(parents)) {
      throw new IOException(root + " belongs to " + owner + ", not to " + parents);
    }
    Files.setPosixFilePermissions(root, MODE_700);
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

  static BadConfigurationException bad(Path directory, String allowed, IOException cause) {
    return new BadConfigurationException(
        LocalCacheKeys.DIRECTORIES, directory.toString(), allowed, cause);
  }
}
