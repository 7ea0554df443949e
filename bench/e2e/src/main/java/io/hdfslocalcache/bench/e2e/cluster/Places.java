/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a cluster keeps what.
 *
 * @param base logs, configurations, and the NameNode's files
 * @param data the DataNode's data directory
 * @param ssd the directory for pages
 * @param capacityBytes what pages may take there
 * @param cgroups the DataNode's groups of processes: files to write process ids to
 */
public record Places(Path base, Path data, Path ssd, long capacityBytes,
    List<Path> cgroups) {

  /** @return places below these, for one of several clusters. */
  public Places of(String name) {
    return new Places(base.resolve(name), data.resolve(name), ssd.resolve(name), capacityBytes,
        cgroups);
  }

  /** @return where the NameNode keeps its files. */
  Path name() {
    return base.resolve("name");
  }

  /** Makes the directories, with nothing in them. */
  public void prepare() throws IOException {
    empty(base);
    discard();
  }

  /** Deletes what takes space. The logs stay. */
  public void discard() throws IOException {
    empty(data);
    empty(ssd);
  }

  /** Makes an empty directory, or empties the one that is there. */
  static void empty(Path directory) throws IOException {
    Files.createDirectories(directory);
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(directory) && !path.endsWith("lost+found")) {
          Files.delete(path);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Makes the directory of a stopped NameNode or DataNode once more, for another cluster that is up
   * at the same time. Each has a copy of what they know, and all have the same block files, by hard
   * links, which must be on the same disk. So what one reads is in the OS page cache for the
   * others, and nothing lies better for one than for another.
   */
  static void share(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path copy = to.resolve(from.relativize(path).toString());
        String name = path.getFileName().toString();
        if (Files.isDirectory(path)) {
          Files.createDirectories(copy);
          Files.setPosixFilePermissions(copy, Files.getPosixFilePermissions(path));
        } else if (name.startsWith("blk_")) {
          Files.createLink(copy, path);
        } else if (!name.equals("in_use.lock")) {
          Files.copy(path, copy);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
