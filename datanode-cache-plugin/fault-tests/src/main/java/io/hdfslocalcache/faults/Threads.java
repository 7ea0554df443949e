/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What this process holds. */
final class Threads {

  private Threads() {
  }

  /** @return number of threads of local caches. */
  static int ofLocalCache() {
    return (int) Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("local-cache-")).count();
  }

  /** @return number of open file descriptors below a directory, deleted files included. */
  static long descriptorsBelow(Path directory) throws IOException {
    return openBelow(directory).size();
  }

  /** @return names of the open files below a directory, deleted ones included. */
  static List<String> openBelow(Path directory) throws IOException {
    return open(name -> name.startsWith(directory.toString()));
  }

  /** @return number of open files in the memory of local caches. */
  static long memoryFiles() throws IOException {
    return openInMemory().size();
  }

  /** @return names of the open files in the memory of local caches. */
  static List<String> openInMemory() throws IOException {
    return open(name -> name.contains("/hdfs-local-cache-"));
  }

  private static List<String> open(Predicate<String> which) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.map(Threads::target).filter(which).toList();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
