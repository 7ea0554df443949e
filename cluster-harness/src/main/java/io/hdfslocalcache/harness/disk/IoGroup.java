/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.hdfslocalcache.harness.disk.LoopDisk.DiskStat;

/**
 * A group of processes whose reads of one disk are counted and can be limited: of cgroup v1, where
 * each controller has its own groups, or v2. Needs root.
 */
public final class IoGroup {

  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final String PREFIX =
      "hdfs-local-cache-bench-" + ProcessHandle.current().pid() + "-";

  private final Path directory;
  private final String disk;
  private final boolean isFirst;

  private IoGroup(Path directory, String disk) {
    this.directory = directory;
    this.disk = disk;
    this.isFirst = !directory.getParent().equals(ROOT);
  }

  /** @return whether this system has cgroups, and allows creating one. */
  public static boolean isPossible() {
    return "root".equals(System.getProperty("user.name"))
        && (Files.isDirectory(ROOT.resolve("blkio")) || Files.exists(ROOT.resolve("io.stat"))
        || Files.exists(ROOT.resolve("cgroup.controllers")));
  }

  /** Creates a group for one disk. */
  public static IoGroup create(LoopDisk disk, Undo undo) throws IOException {
    return new IoGroup(make("blkio", disk.number().replace(':', '-'), undo), disk.number());
  }

  /**
   * Creates a group with limited memory, including its OS page cache.
   *
   * @param name unique among the groups of this process
   * @return the file to which a process writes its id to be limited
   */
  public static Path memoryGroup(String name, long bytes, Undo undo) throws IOException {
    return limitMemory(make("memory", name, undo), bytes);
  }

  /**
   * Limits the memory of the group, including its OS page cache.
   *
   * @return the file to which a process in the group also writes its id to be limited
   */
  public Path limitMemory(long bytes, Undo undo) throws IOException {
    return limitMemory(
        isFirst ? make("memory", directory.getFileName() + "-memory", undo) : directory, bytes);
  }

  private static Path limitMemory(Path group, long bytes) throws IOException {
    if (group.getParent().equals(ROOT)) {
      allow("memory");
    }
    Path first = group.resolve("memory.limit_in_bytes");
    Files.writeString(
        Files.exists(first) ? first : group.resolve("memory.max"), String.valueOf(bytes));
    return group.resolve("cgroup.procs");
  }

  /** Enables a controller for groups of v2. */
  private static void allow(String controller) throws IOException {
    Files.writeString(ROOT.resolve("cgroup.subtree_control"), "+" + controller);
  }

  /** @param controller its name in v1 */
  private static Path make(String controller, String name, Undo undo) throws IOException {
    Path root = ROOT.resolve(controller);
    if (!Files.isDirectory(root)) {
      root = ROOT;
      allow(controller.equals("blkio") ? "io" : controller);
    }
    Path directory = root.resolve(PREFIX + name);
    // Its last process may still be on its way out.
    undo.add("for i in 1 2 3 4 5 6 7 8 9; do rmdir '" + directory + "' 2> /dev/null && break; "
        + "sleep 1; done");
    return Files.createDirectory(directory);
  }

  /** @return the file to which a process writes its id to enter the group. */
  public Path processes() {
    return directory.resolve("cgroup.procs");
  }

  /** Limits the group's reads. */
  public void limit(long bytesPerSecond, long readsPerSecond) throws IOException {
    if (isFirst) {
      set("blkio.throttle.read_bps_device", disk + " " + bytesPerSecond);
      set("blkio.throttle.read_iops_device", disk + " " + readsPerSecond);
    } else {
      set("io.max", disk + " rbps=" + bytesPerSecond + " riops=" + readsPerSecond);
    }
  }

  /** Removes the limit of the group's reads. */
  public void unlimit() throws IOException {
    limit(1L << 40, 1L << 30);
  }

  private void set(String file, String value) throws IOException {
    try {
      Files.writeString(directory.resolve(file), value);
    } catch (IOException e) {
      throw new IOException("cannot limit a group of processes: " + e.getMessage(), e);
    }
  }

  /** @return the group's reads from the disk; other counters are 0. */
  public DiskStat stat() throws IOException {
    return isFirst
        ? new DiskStat(count("blkio.throttle.io_serviced", "Read "),
            count("blkio.throttle.io_service_bytes", "Read "), 0, 0)
        : new DiskStat(count("io.stat", ".*\\brios="), count("io.stat", ".*\\brbytes="), 0, 0);
  }

  /** @param before text between disk and figure: a regular expression */
  private long count(String file, String before) throws IOException {
    Matcher found = Pattern.compile("(?m)^" + disk + " " + before + "(\\d+)")
        .matcher(Files.readString(directory.resolve(file)));
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }
}
