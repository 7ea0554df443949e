/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a file system is mounted, as the kernel says in {@code /proc/self/mountinfo}.
 *
 * @param path the directory that it is mounted on
 * @param type what kind of file system it is
 * @param options how it is mounted
 */
record MountPoint(Path path, String type, Set<String> options) {

  private static final Logger LOG = LoggerFactory.getLogger(MountPoint.class);
  private static final Path TABLE = Path.of("/proc/self/mountinfo");
  /** Blanks, tabs, line ends and backslashes are written in octal. */
  private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");
  private static final int PATH = 4;
  private static final int OPTIONS = 5;

  /** @return where the file system of an existing directory is mounted. */
  static MountPoint of(Path directory) throws IOException {
    return of(Path.of(directory.toRealPath().toString()), Files.readAllLines(TABLE));
  }

  /** The same by lines of the kernel's table. Of two on one directory the later one hides the other. */
  static MountPoint of(Path directory, List<String> table) throws IOException {
    MountPoint nearest = null;
    for (String line : table) {
      MountPoint mount = parse(line);
      if (directory.startsWith(mount.path)
          && (nearest == null || mount.path.startsWith(nearest.path))) {
        nearest = mount;
      }
    }
    if (nearest == null) {
      throw new IOException(TABLE + " has no file system for " + directory);
    }
    return nearest;
  }

  private static MountPoint parse(String line) {
    String[] fields = line.split(" ");
    int separator = List.of(fields).indexOf("-");
    String path = ESCAPE.matcher(fields[PATH]).replaceAll(escape ->
        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 8))));
    return new MountPoint(
        Path.of(path), fields[separator + 1], Set.of(fields[OPTIONS].split(",")));
  }

  /**
   * Warns of a file system that writes down when a file was read: then a page that is only read
   * costs a write, and an operation that should not wait for the SSD may do so.
   *
   * @param directory the directory as configured
   */
  void tellIfAccessesAreNoted(Path directory) {
    if (!options.contains("noatime") && !type.equals("tmpfs")) {
      LOG.warn("Local cache: {} is on {} ({}), which is not mounted with noatime: each page that is "
          + "read costs a write; mount it with noatime", directory, path, type);
    }
  }
}
