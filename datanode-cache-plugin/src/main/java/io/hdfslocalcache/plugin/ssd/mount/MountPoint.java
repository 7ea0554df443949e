/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mount point from {@code /proc/self/mountinfo}.
 *
 * @param path its directory
 * @param type type of the file system
 * @param options mount options
 */
record MountPoint(Path path, String type, Set<String> options) {

  private static final Logger LOG = LoggerFactory.getLogger(MountPoint.class);
  /** File systems to mount at boot. */
  private static final Path PLANS = Path.of("/etc/fstab");
  private static final int PLANNED_PATH = 1;
  private static final Path TABLE = Path.of("/proc/self/mountinfo");
  /** The kernel writes blanks, tabs, line ends and backslashes in octal. */
  private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");
  private static final int PATH = 4;
  private static final int OPTIONS = 5;

  /** @return the mount point of an existing directory. */
  static MountPoint of(Path directory) throws IOException {
    return of(Path.of(directory.toRealPath().toString()), lines(TABLE));
  }

  /** The same from lines of the kernel's table. Of two on one directory, the later one counts. */
  static MountPoint of(Path directory, List<String> table) throws IOException {
    MountPoint nearest = null;
    for (String line : table) {
      MountPoint mount = parse(line);
      if (mount != null && directory.startsWith(mount.path)
          && (nearest == null || mount.path.startsWith(nearest.path))) {
        nearest = mount;
      }
    }
    if (nearest == null) {
      throw new IOException(TABLE + " has no file system for " + directory);
    }
    return nearest;
  }

  /** @return where the file system is mounted that this directory is on now. */
  Path now() throws IOException {
    return of(path, lines(TABLE)).path;
  }

  /** Others' mount points may have any bytes in their names. */
  static List<String> lines(Path table) throws IOException {
    return List.of(new String(Files.readAllBytes(table), StandardCharsets.UTF_8).split("\n"));
  }

  /** @return null for a name that is no path here: no directory of ours is below it. */
  private static MountPoint parse(String line) {
    String[] fields = line.split(" ");
    int separator = List.of(fields).indexOf("-");
    try {
      return new MountPoint(Path.of(unescaped(fields[PATH])), fields[separator + 1],
          Set.of(fields[OPTIONS].split(",")));
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static String unescaped(String path) {
    return ESCAPE.matcher(path).replaceAll(escape ->
        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 8))));
  }

  /**
   * @param mounted where a file system is mounted already, perhaps that of / once more
   * @return the mount point that is planned for a directory in /etc/fstab; null: none.
   */
  static Path planned(Path directory, Path mounted) {
    try {
      return planned(directory, mounted, Files.readAllLines(PLANS));
    } catch (IOException | RuntimeException e) {
      // Only for a message, which is complete without it.
      return null;
    }
  }

  static Path planned(Path directory, Path mounted, List<String> fstab) {
    return fstab.stream().map(String::strip).filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\\s+")).filter(fields -> fields.length > PLANNED_PATH && !fields[0].equals("/"))
        .map(fields -> fields[PLANNED_PATH]).filter(path -> path.startsWith("/"))
        .map(path -> Path.of(unescaped(path)))
        .filter(path -> directory.startsWith(path) && !mounted.startsWith(path))
        .max(Comparator.comparingInt(Path::getNameCount)).orElse(null);
  }

  /**
   * Warns of a file system that records access times: reading a page then costs a write, and may
   * make an operation wait for the SSD that should not.
   *
   * @param directory the directory as configured
   */
  void tellIfAccessesAreNoted(Path directory) {
    if (!options.contains("noatime") && !type.equals("tmpfs")) {
      LOG.warn("Local cache: {} is on {} ({}), which is not mounted with noatime: reading a page "
          + "costs a write; mount it with noatime", directory, path, type);
    }
  }
}
