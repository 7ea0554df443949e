/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.Mistakes;
import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.plugin.ssd.file.Existing;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;
import io.hdfslocalcache.plugin.ssd.space.SpaceCheck;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks directories for pages before they are used, so that an operator sees a mistyped path now,
 * and not in a metric next week.
 */
public final class DirectoryCheck {

  static final Set<PosixFilePermission> MODE_700 = PosixFilePermissions.fromString("rwx------");

  private static final Logger LOG = LoggerFactory.getLogger(DirectoryCheck.class);
  private static final Path ROOT = Path.of("/");
  private static final String DEVICE = "unix:dev";
  private static final int STICKY = 01000;
  private static final int GROUP_WRITE = 020;
  private static final int OTHERS_READ = 04;
  private static final int OTHERS_WRITE = 02;
  private static final int OTHERS_SEARCH = 01;
  /** From a permission of others to that of the group, and of the owner. */
  private static final int GROUP_BITS = 3;
  private static final int OWNER_BITS = 6;
  private static final int MODE = 07777;

  private DirectoryCheck() {
  }

  /**
   * Checks every configured directory, and creates missing ones. Problems of an SSD do not stop the
   * start: the SSD is down until it can be used.
   *
   * @throws BadConfigurationException if a directory can never be used
   */
  public static void check(LocalCacheConfig config) throws BadConfigurationException {
    Mistakes mistakes = new Mistakes();
    checkEach(config, directory -> {
      look(directory, config);
      DirectoryLock.requireOutside(directory);
      make(directory);
      DirectoryLock.requireFree(directory);
    }, (directory, e) -> {
      if (e instanceof UnusableDirectoryException unusable) {
        mistakes.add(unusable.ofConfiguration().getMessage());
      } else {
        LOG.debug("Local cache: {} cannot be used yet", directory, e);
      }
    });
    mistakes.throwIfAny();
  }

  /**
   * What is wrong with the directories of this host.
   *
   * @param faults why SSDs take no page, a part of a sentence each
   * @param absent directories below one that is missing, with the words for that
   * @param isHere whether this host has the SSD of a directory, as far as known
   */
  public record Found(List<String> faults, Map<Path, String> absent, boolean isHere) {
  }

  /**
   * Finds out which directories of this host can hold no page. Leaves nothing behind. Other
   * DataNodes are not looked for: this one may be running.
   *
   * @param user the DataNode's user; null: not known
   */
  public static Found find(LocalCacheConfig config, String user) {
    List<String> faults = new ArrayList<>();
    Map<Path, String> absent = new LinkedHashMap<>();
    AtomicBoolean isHere = new AtomicBoolean();
    SpaceCheck space = new SpaceCheck(config);
    checkEach(config, directory -> {
      SpaceCheck.Disk disk = look(directory, config);
      space.add(directory, disk);
      tryToMake(directory, user);
      isHere.set(true);
    }, (directory, e) -> {
      if (e instanceof UnusableDirectoryException unusable) {
        faults.add(unusable.ofConfiguration().getMessage());
      } else if (e.getCause() instanceof NoSuchFileException) {
        absent.put(directory, ErrorText.of(e));
      } else {
        faults.add(directory + " takes no page: " + ErrorText.of(e));
        isHere.set(true);
      }
    });
    return new Found(faults, absent, isHere.get());
  }

  /**
   * Finds out whether a directory for other files than pages could be used, or made with what is
   * missing above it.
   *
   * @param user the DataNode's user; null: not known
   * @return why not, and what to do; empty if it could
   */
  public static String troubleToMake(Path directory, String user) {
    Path existing = directory;
    try {
      while (!Existing.isAnything(existing)) {
        existing = existing.getParent();
      }
      requireWritable(existing, existing, user);
      return "";
    } catch (IOException e) {
      return existing.equals(directory) ? ErrorText.of(e)
          : "does not exist, and cannot be made in " + existing + ": make it; " + ErrorText.of(e);
    }
  }

  private static void checkEach(LocalCacheConfig config, ConsumerRaisingIOE<Path> check,
      BiConsumer<Path, Exception> ifItFails) {
    if (config.dryRun()) {
      return;
    }
    long patience = config.healthLimits().writeDeadlineNanos();
    Map<Path, Attempt<Path>> attempts = new LinkedHashMap<>();
    config.directories().forEach(directory -> attempts.put(directory,
        new Attempt<>("local-cache-check-" + directory, patience, () -> {
          check.accept(directory);
          return directory;
        })));
    for (Map.Entry<Path, Attempt<Path>> attempt : attempts.entrySet()) {
      try {
        attempt.getValue().get();
      } catch (IOException | RuntimeException e) {
        ifItFails.accept(attempt.getKey(), e);
      }
    }
  }

  /** Both {@link #look looks} and {@link #make makes}. */
  static void prepare(Path directory, boolean requireMount) throws IOException {
    look(directory, requireMount);
    make(directory);
  }

  /**
   * Makes sure that a directory can hold pages, or could hold them if it was {@link #make made}, and
   * is apart from replicas. Writes nothing.
   *
   * @return what it is on, or would be
   * @throws UnusableDirectoryException if it can never be used
   * @throws IOException if its SSD is missing or fails
   */
  public static SpaceCheck.Disk look(Path directory, LocalCacheConfig config) throws IOException {
    checkOutside(directory, config.dataDirectories());
    return look(directory, config.requireMount());
  }

  private static SpaceCheck.Disk look(Path directory, boolean requireMount) throws IOException {
    try {
      Path parent = existingParent(directory);
      boolean exists = Existing.isAnything(directory);
      if (exists && !Existing.isDirectory(directory)) {
        throw bad(directory, "must be a directory, and not a link to one");
      }
      checkMounted(directory, exists ? directory : parent, requireMount);
      checkAbove(realPath(directory));
      return SpaceCheck.Disk.of(directory, exists ? directory : parent);
    } catch (AccessDeniedException e) {
      throw notWritable(directory, null, e);
    }
  }

  /**
   * Makes a directory that was {@link #look looked} at, if it is missing, but nothing above it: what
   * is missing there may be a file system that is not mounted. Makes sure that it belongs to this
   * user.
   *
   * @throws UnusableDirectoryException if it can never be used
   * @throws IOException if its SSD fails
   */
  public static void make(Path directory) throws IOException {
    try {
      PrivateFiles.createDirectory(directory);
      checkOwner(directory, PrivateFiles.tryToWrite(directory).getName());
      Files.setPosixFilePermissions(directory, MODE_700);
    } catch (UnusableDirectoryException e) {
      throw e;
    } catch (IOException e) {
      throw notWritable(directory, null, e);
    }
  }

  /** Finds out whether {@link #make} would fail. */
  private static void tryToMake(Path directory, String user) throws IOException {
    boolean exists = Existing.isAnything(directory);
    requireWritable(directory, exists ? directory : directory.getParent(), user);
    if (exists && user != null) {
      checkOwner(directory, user);
    }
  }

  /**
   * Root may write everywhere, so another user's permissions are checked separately.
   *
   * @param place the directory, or the one in which it is missing
   */
  private static void requireWritable(Path directory, Path place, String user) throws IOException {
    try {
      UserPrincipal caller = PrivateFiles.tryToWrite(place);
      if (user != null && !user.equals(caller.getName()) && !may(OTHERS_WRITE, place, user)) {
        throw new AccessDeniedException(place.toString());
      }
    } catch (IOException e) {
      throw notWritable(directory, user, e);
    }
  }

  /** @return whether a user may read a file, by its permissions; true if a group decides that. */
  public static boolean mayRead(Path file, String user) throws IOException {
    return may(OTHERS_READ, file, user);
  }

  /** @return whether a user has a permission, and may reach the file; true if a group decides. */
  private static boolean may(int permission, Path file, String user) throws IOException {
    Path real = file.toRealPath();
    return isPermitted(permission, real, user) && closedAbove(real, user) == null;
  }

  /**
   * @param user null: this one
   * @return the uppermost directory above a file that the user may not enter; null: none
   */
  private static Path closedAbove(Path file, String user) throws IOException {
    Path closed = null;
    for (Path above = file.getParent(); above != null; above = above.getParent()) {
      if (!Files.isExecutable(above) || user != null && !isPermitted(OTHERS_SEARCH, above, user)) {
        closed = above;
      }
    }
    return closed;
  }

  private static IOException notWritable(Path directory, String user, IOException error)
      throws IOException {
    return PrivateFiles.notWritable(directory,
        error instanceof AccessDeniedException ? closedAbove(directory, user) : null, user, error);
  }

  private static boolean isPermitted(int permission, Path file, String user) throws IOException {
    int who = Files.getOwner(file).getName().equals(user) ? permission << OWNER_BITS
        : permission << GROUP_BITS | permission;
    return (mode(file) & who) != 0;
  }

  private static Path existingParent(Path directory) throws IOException {
    Path parent = directory.getParent();
    try {
      if (parent == null || !Files.readAttributes(parent, BasicFileAttributes.class).isDirectory()) {
        throw bad(directory, "must be a directory that the DataNode can use or create, but "
            + parent + " is not a directory");
      }
      return parent;
    } catch (NoSuchFileException e) {
      throw new IOException(SsdHome.missing(uppermostMissing(parent)), e);
    }
  }

  /** @return the uppermost missing directory of a path, which has to be made first. */
  private static Path uppermostMissing(Path missing) throws IOException {
    Path above = missing.getParent();
    return above == null || Existing.isAnything(above) ? missing : uppermostMissing(above);
  }

  private static void checkMounted(Path directory, Path existing, boolean requireMount)
      throws IOException {
    if (!requireMount) {
      return;
    }
    Path mounted = MountPoint.of(existing).path();
    // Also through a bind mount.
    if (Files.getAttribute(mounted, DEVICE).equals(Files.getAttribute(ROOT, DEVICE))) {
      Path mount = MountPoint.planned(directory, mounted);
      throw new IOException("not mounted: " + directory + " is on the file system of /; "
          + (mount == null ? "mount its SSD" : "mount " + mount + ", which is in /etc/fstab")
          + "; to use it unmounted, set " + LocalCacheKeys.REQUIRE_MOUNT + " to false");
    }
  }

  private static void checkOwner(Path directory, String user) throws IOException {
    String owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName();
    if (!owner.equals(user)) {
      throw bad(directory, "must belong to the DataNode's user " + user
          + ", but belongs to " + owner);
    }
  }

  /** Whoever may rename the directory could replace it. */
  private static void checkAbove(Path directory) throws IOException {
    for (Path above : changeableAbove(directory, OTHERS_WRITE)) {
      throw bad(directory, "must not be below a directory that every user can write to (" + above
          + " has mode " + Integer.toOctalString(mode(above) & MODE) + ")");
    }
  }

  /** Warns of a directory, without links in its path, that a group could replace. */
  static void tellIfGroupsMayReplace(Path directory) throws IOException {
    for (Path above : changeableAbove(directory, GROUP_WRITE)) {
      LOG.warn("Local cache: {} is writable by its group, which could replace {}", above,
          directory);
    }
  }

  /** @return the parents of a directory that others can write to. */
  private static List<Path> changeableAbove(Path directory, int who) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path above = directory.getParent(); above != null; above = above.getParent()) {
      int mode = mode(above);
      if ((mode & who) != 0 && (mode & STICKY) == 0) {
        found.add(above);
      }
    }
    return found;
  }

  private static int mode(Path directory) throws IOException {
    return (Integer) Files.getAttribute(directory, "unix:mode");
  }

  /**
   * Makes sure, before using it, that a DataNode's part of a configured directory belongs to the
   * DataNode, and is private.
   *
   * @throws UnusableDirectoryException if it is a link, or belongs to another user
   */
  static void checkOwned(Path configured, Path root) throws IOException {
    if (!Existing.isDirectory(root)) {
      throw bad(configured, "must be the DataNode's own, but " + root
          + " is a link, or no directory");
    }
    String owner = Files.getOwner(root, LinkOption.NOFOLLOW_LINKS).getName();
    String parents = Files.getOwner(root.getParent()).getName();
    if (!owner.equals(parents)) {
      throw bad(configured, "must be the DataNode's own, but " + root + " belongs to " + owner
          + ", not to " + parents);
    }
    Files.setPosixFilePermissions(root, MODE_700);
  }

  /**
   * Makes sure that pages and replicas are in separate directories.
   *
   * @throws UnusableDirectoryException if a directory is inside or around a data directory
   */
  private static void checkOutside(Path configured, Collection<URI> dataDirectories)
      throws IOException {
    Path directory = realPath(configured);
    for (URI uri : dataDirectories) {
      Path data = realPath(new File(uri.getPath()).toPath().toAbsolutePath().normalize());
      if (directory.startsWith(data) || data.startsWith(directory)) {
        throw bad(configured, "must be neither inside nor around a directory of "
            + "dfs.datanode.data.dir (" + data + ")");
      }
    }
  }

  /** @return the path with all links in its existing part resolved. */
  private static Path realPath(Path path) throws IOException {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      if (path.getParent() == null) {
        throw e;
      }
      return realPath(path.getParent()).resolve(path.getFileName());
    }
  }

  /** @return the exception for a directory that can never be used. */
  static UnusableDirectoryException bad(Path directory, String allowed) {
    return new UnusableDirectoryException(directory, allowed);
  }
}
