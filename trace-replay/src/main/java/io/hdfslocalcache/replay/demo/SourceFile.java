/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A file that clients read in HDFS, and the local file whose bytes it must have.
 *
 * @param inHdfs absolute path in HDFS
 * @param local the file to compare with
 * @param length bytes that both have
 */
public record SourceFile(String inHdfs, Path local, long length) {

  private static final String DIRECTORY_IN_HDFS = "/demo/";

  public SourceFile {
    requireNonNull(inHdfs, "inHdfs");
    requireNonNull(local, "local");
    if (length < 0) {
      throw new IllegalArgumentException("negative length: " + length);
    }
  }

  /** @return the path in HDFS as Hadoop has it. */
  public org.apache.hadoop.fs.Path path() {
    return new org.apache.hadoop.fs.Path(inHdfs);
  }

  /** Both names, for people. */
  @Override
  public String toString() {
    return inHdfs + " (" + local.getFileName() + ")";
  }

  /**
   * Chooses files below a directory. What cannot be read is left out, and so are empty files. The
   * same directory gives the same files in the same order, which is the order of their popularity; it
   * has nothing to do with name or size.
   *
   * @param suffix what their names end with; empty for all
   * @param maxFiles number of files at most
   * @param maxBytes bytes at most, in all files together
   * @return the files, the most popular one first; none if there is none
   * @throws IOException if the directory itself cannot be read
   */
  public static List<SourceFile> choose(Path directory, String suffix, int maxFiles,
      long maxBytes) throws IOException {
    List<SourceFile> chosen = new ArrayList<>();
    long room = maxBytes;
    for (Path file : shuffled(directory, find(directory, suffix))) {
      long length = file.toFile().length();
      if (length > 0 && length <= room && chosen.size() < maxFiles) {
        chosen.add(new SourceFile(DIRECTORY_IN_HDFS + (chosen.size() + 1), file, length));
        room -= length;
      }
    }
    return chosen;
  }

  private static List<Path> find(Path directory, String suffix) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(directory, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (attributes.isRegularFile() && file.toString().endsWith(suffix)
            && Files.isReadable(file)) {
          found.add(file);
        }
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
        if (file.equals(directory)) {
          throw e;
        }
        return FileVisitResult.CONTINUE;
      }
    });
    return found;
  }

  private static List<Path> shuffled(Path directory, List<Path> files) {
    Comparator<Path> byName = Comparator.comparing(file -> directory.relativize(file).toString());
    Comparator<Path> byHash = Comparator.comparingLong(file -> hash(directory.relativize(file)));
    return files.stream().sorted(byHash.thenComparing(byName)).toList();
  }

  private static long hash(Path name) {
    CRC32 crc = new CRC32();
    crc.update(name.toString().getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }
}
