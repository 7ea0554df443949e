/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Directories with all that is below them. */
final class Trees {

  private Trees() {
  }

  /** Makes an empty directory, or empties the one that is there. */
  static void empty(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.walkFileTree(directory, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
          throws IOException {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path visited, IOException e) throws IOException {
        if (!visited.equals(directory) && !visited.endsWith("lost+found")) {
          Files.delete(visited);
        }
        return FileVisitResult.CONTINUE;
      }
    });
  }
}
