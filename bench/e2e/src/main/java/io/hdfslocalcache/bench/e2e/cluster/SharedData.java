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

/**
 * The same file system in HDFS for several clusters at once: each has a copy of what the NameNode and
 * the DataNode know, and all have the same block files, by hard links. So what one reads is in the OS
 * page cache for the others, and nothing lies better for one than for another.
 */
final class SharedData {

  private SharedData() {
  }

  /** Makes the directory of a stopped cluster once more. Block files must be on the same disk. */
  static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(from, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
          throws IOException {
        Path copy = to.resolve(from.relativize(directory).toString());
        Files.createDirectories(copy);
        Files.setPosixFilePermissions(copy, Files.getPosixFilePermissions(directory));
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
          throws IOException {
        Path copy = to.resolve(from.relativize(file).toString());
        String name = file.getFileName().toString();
        if (name.startsWith("blk_")) {
          Files.createLink(copy, file);
        } else if (!name.equals("in_use.lock")) {
          Files.copy(file, copy);
        }
        return FileVisitResult.CONTINUE;
      }
    });
  }
}
