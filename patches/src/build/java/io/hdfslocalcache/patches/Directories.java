/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What {@link Files} leaves out. */
final class Directories {

  private Directories() {
  }

  /** Leaves an empty directory, whatever was there. Symbolic links are not followed. */
  static void recreate(Path dir) throws IOException {
    delete(dir);
    Files.createDirectories(dir);
  }

  /** Deletes a directory with all that is in it, if it is there. */
  static void delete(Path dir) throws IOException {
    if (Files.exists(dir)) {
      List<Path> all;
      try (Stream<Path> walk = Files.walk(dir)) {
        all = walk.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path path : all) {
        Files.delete(path);
      }
    }
  }
}
