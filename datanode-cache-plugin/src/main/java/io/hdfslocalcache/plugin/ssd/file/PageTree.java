/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Operations on whole trees of page files. Follows no links. */
public final class PageTree {

  private PageTree() {
  }

  /** @return whether a configured directory has pages of a DataNode. */
  public static boolean hasPages(Path configured) throws IOException {
    return !dataNodes(configured).isEmpty();
  }

  /** @return the subdirectories of a configured directory with pages of DataNodes. */
  public static List<Path> dataNodes(Path configured) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(configured)) {
      for (Path root : entries) {
        if (Existing.isDirectory(root) && Existing.isDirectory(root.resolve(PagePaths.LAYOUT))) {
          found.add(root);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  /**
   * Deletes a directory recursively, if it exists. An interrupt ends it early.
   *
   * @throws IOException if something could not be deleted, after deleting the rest
   */
  public static void delete(Path directory) throws IOException {
    if (Existing.isAnything(directory)) {
      Deletion deletion = new Deletion();
      Files.walkFileTree(directory, deletion);
      if (deletion.first != null) {
        throw deletion.first;
      }
    }
  }

  /**
   * Deletes files of so many bytes in length, as far as possible.
   *
   * @param directory with page files; may be missing
   * @return number of deleted files
   */
  public static int deleteSome(Path directory, long bytes) throws IOException {
    int[] deleted = {0};
    if (Existing.isAnything(directory)) {
      Files.walkFileTree(directory, new SimpleFileVisitor<>() {
        private long left = bytes;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
          try {
            Files.delete(file);
            deleted[0]++;
            left -= attributes.size();
          } catch (IOException e) {
            // The restore finds out.
          }
          return left > 0 ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
          return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path visited, IOException e) {
          return FileVisitResult.CONTINUE;
        }
      });
    }
    return deleted[0];
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    /** The first failure; those of the directories above are consequences. */
    private IOException first;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return delete(file);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return e instanceof NoSuchFileException ? FileVisitResult.CONTINUE : failed(e);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) {
      return e == null ? delete(directory) : failed(e);
    }

    private FileVisitResult delete(Path path) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        failed(e);
      }
      return Thread.currentThread().isInterrupted()
          ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }

    private FileVisitResult failed(IOException e) {
      if (first == null) {
        first = e;
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
