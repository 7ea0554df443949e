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
 * A group of processes whose reads of one disk are counted, and can be held down: of cgroup v1, in
 * which each controller has groups of its own, or v2. Needs root.
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

  /** @return whether this system has groups of either kind, and lets us make one. */
  public static boolean isPossible() {
    return "root".equals(System.getProperty("user.name"))
        && (Files.isDirectory(ROOT.resolve("blkio")) || Files.exists(ROOT.resolve("io.stat"))
        || Files.exists(ROOT.resolve("cgroup.controllers")));
  }

  /** Makes a group for one disk. */
  public static IoGroup create(LoopDisk disk, Undo undo) throws IOException {
    return new IoGroup(make("blkio", disk.number().replace(':', '-'), undo), disk.number());
  }

  /**
   * Makes a group whose memory is limited, the OS page cache for what it reads and writes among it.
   *
   * @param name another one for each group of this process
   * @return where a process writes its id to be limited
   */
  public static Path memoryGroup(String name, long bytes, Undo undo) throws IOException {
    return limitMemory(make("memory", name, undo), bytes);
  }

  /**
   * Limits the memory of the group, the OS page cache for what it reads and writes among it.
   *
   * @return where a process writes its id to be limited, if it has entered the group, too
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

  /** Lets groups of v2 have a controller. */
  private static void allow(String controller) throws IOException {
    Files.writeString(ROOT.resolve("cgroup.subtree_control"), "+" + controller);
  }

  /** @param controller as v1 calls it */
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

  /** @return where a process writes its id to enter the group. */
  public Path processes() {
    return directory.resolve("cgroup.procs");
  }

  /** Lets the group read no faster than this. */
  public void limit(long bytesPerSecond, long readsPerSecond) throws IOException {
    if (isFirst) {
      set("blkio.throttle.read_bps_device", disk + " " + bytesPerSecond);
      set("blkio.throttle.read_iops_device", disk + " " + readsPerSecond);
    } else {
      set("io.max", disk + " rbps=" + bytesPerSecond + " riops=" + readsPerSecond);
    }
  }

  /** Lets the group read as fast as it can. */
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

  /** @return what the group has read from the disk; the rest is 0. */
  public DiskStat stat() throws IOException {
    return isFirst
        ? new DiskStat(count("blkio.throttle.io_serviced", "Read "),
            count("blkio.throttle.io_service_bytes", "Read "), 0, 0)
        : new DiskStat(count("io.stat", ".*\\brios="), count("io.stat", ".*\\brbytes="), 0, 0);
  }

  /** @param before what is between disk and figure: a regular expression */
  private long count(String file, String before) throws IOException {
    Matcher found = Pattern.compile("(?m)^" + disk + " " + before + "(\\d+)")
        .matcher(Files.readString(directory.resolve(file)));
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }
}
