/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import com.sun.management.UnixOperatingSystemMXBean;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits of the memory tier on this machine.
 *
 * @param directory in a tmpfs
 * @param bytes of memory; 0: the tier is off
 * @param files open files
 */
public record MemoryLimits(Path directory, long bytes, long files) {

  private static final Logger LOG = LoggerFactory.getLogger(MemoryLimits.class);
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  /** The resources of the machine. */
  record Machine(String fileSystem, long freeBytes, long memoryBytes, long heapBytes, long files) {

    static Machine of(Path directory) throws IOException {
      var store = Files.getFileStore(directory);
      var system = ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
      return new Machine(store.type(), store.getUsableSpace(), system.getTotalMemorySize(),
          Runtime.getRuntime().maxMemory(), system.getMaxFileDescriptorCount());
    }
  }

  /**
   * Reads the size of the tmpfs, the memory of the machine or of the process's cgroup, and the
   * limit of open files. If they allow less than configured, the tier is as large as possible, and
   * one line in the log says so.
   *
   * @param wanted bytes as configured
   */
  public static MemoryLimits of(Path directory, long wanted, int pageSize) {
    if (wanted == 0) {
      return new MemoryLimits(directory, 0, 0);
    }
    try {
      return of(directory, wanted, pageSize, Machine.of(directory));
    } catch (IOException | RuntimeException e) {
      LOG.warn("Local cache: memory tier is off: cannot use {}: {}",
          directory, ErrorText.of(e));
      return new MemoryLimits(directory, 0, 0);
    }
  }

  static MemoryLimits of(Path directory, long wanted, int pageSize, Machine machine) {
    String trouble = trouble(directory, machine.fileSystem());
    if (!trouble.isEmpty()) {
      LOG.warn("Local cache: memory tier is off: {} {}", directory, trouble);
      return new MemoryLimits(directory, 0, 0);
    }
    List<String> reasons = new ArrayList<>();
    long bytes = wanted;
    bytes = least(bytes, machine.freeBytes(), "free space of " + directory, reasons);
    bytes = least(bytes, Math.max(0, machine.memoryBytes() - machine.heapBytes()) / 2,
        "half of the off-heap memory", reasons);
    long files = machine.files() / 2;
    bytes = least(bytes, files * pageSize, "one page per two open files allowed", reasons);
    if (!reasons.isEmpty()) {
      LOG.warn("Local cache: memory tier limited to {} instead of {}: {}",
          Sizes.text(bytes, wanted), Sizes.text(wanted, bytes), String.join(", ", reasons));
    }
    return new MemoryLimits(directory, bytes, files);
  }

  /**
   * @return why this user can keep no page in memory there, as words that follow the directory;
   *     empty if it can
   * @throws IOException if it is missing or fails
   */
  public static String trouble(Path directory) throws IOException {
    return trouble(directory, Files.getFileStore(directory).type());
  }

  private static String trouble(Path directory, String fileSystem) {
    return !IN_MEMORY.contains(fileSystem) ? "is not in a tmpfs"
        : Files.isWritable(directory) ? "" : "is not writable";
  }

  /** @return whether a file or directory is in a tmpfs. */
  static boolean isInMemory(Path path) throws IOException {
    return IN_MEMORY.contains(Files.getFileStore(path).type());
  }

  private static long least(long bytes, long limit, String name, List<String> reasons) {
    if (limit >= bytes) {
      return bytes;
    }
    reasons.add(name + " is " + Sizes.text(limit));
    return limit;
  }
}
