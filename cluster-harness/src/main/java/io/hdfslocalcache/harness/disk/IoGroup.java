/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.harness.disk.LoopDisk.DiskStat;

/** A group of processes whose reads of one disk are counted, and can be held down. Needs root. */
public abstract class IoGroup {

  private static final Path V1 = Path.of("/sys/fs/cgroup/blkio");
  private static final Path V1_MEMORY = Path.of("/sys/fs/cgroup/memory");
  private static final Path V2 = Path.of("/sys/fs/cgroup");
  private static final String PREFIX =
      "hdfs-local-cache-bench-" + ProcessHandle.current().pid() + "-";

  private final Path directory;
  private final String disk;

  private IoGroup(Path directory, String disk) {
    this.directory = directory;
    this.disk = disk;
  }

  /** @return whether this system has groups of either kind, and lets us make one. */
  public static boolean isPossible() {
    return "root".equals(System.getProperty("user.name"))
        && (Files.isDirectory(V1) || Files.exists(V2.resolve("io.stat"))
        || Files.exists(V2.resolve("cgroup.controllers")));
  }

  /** Makes a group for one disk. */
  public static IoGroup create(LoopDisk disk, Undo undo) throws IOException {
    boolean first = Files.isDirectory(V1);
    if (!first) {
      Files.writeString(V2.resolve("cgroup.subtree_control"), "+io +memory");
    }
    String name = PREFIX + disk.number().replace(':', '-');
    Path directory = make((first ? V1 : V2).resolve(name), undo);
    return first ? new First(directory, disk.number()) : new Second(directory, disk.number());
  }

  /**
   * Makes a group whose memory is limited, the OS page cache for what it reads and writes among it.
   *
   * @return where a process writes its id to be limited
   */
  public static Path memoryGroup(long bytes, Undo undo) throws IOException {
    boolean first = Files.isDirectory(V1_MEMORY);
    if (!first) {
      Files.writeString(V2.resolve("cgroup.subtree_control"), "+memory");
    }
    Path directory = make((first ? V1_MEMORY : V2).resolve(PREFIX + "memory"), undo);
    Files.writeString(directory.resolve(first ? "memory.limit_in_bytes" : "memory.max"),
        String.valueOf(bytes));
    return directory.resolve("cgroup.procs");
  }

  private static Path make(Path directory, Undo undo) throws IOException {
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
  public abstract void limit(long bytesPerSecond, long readsPerSecond) throws IOException;

  /**
   * Limits the memory of the group, the OS page cache for what it reads and writes among it.
   *
   * @return where a process writes its id to be limited, if it has entered the group, too
   */
  public abstract Path limitMemory(long bytes, Undo undo) throws IOException;

  /** Lets the group read as fast as it can. */
  public void unlimit() throws IOException {
    limit(1L << 40, 1L << 30);
  }

  /** @return what the group has read from the disk; the rest is 0. */
  public abstract DiskStat stat() throws IOException;

  void set(String file, String value) throws IOException {
    try {
      Files.writeString(directory.resolve(file), value);
    } catch (IOException e) {
      throw new IOException("cannot limit a group of processes: " + e.getMessage(), e);
    }
  }

  List<String> lines(String file) throws IOException {
    return Files.readAllLines(directory.resolve(file));
  }

  String disk() {
    return disk;
  }

  Path directory() {
    return directory;
  }

  /** cgroup v1, controller blkio. */
  private static final class First extends IoGroup {

    First(Path directory, String disk) {
      super(directory, disk);
    }

    @Override
    public void limit(long bytesPerSecond, long readsPerSecond) throws IOException {
      set("blkio.throttle.read_bps_device", disk() + " " + bytesPerSecond);
      set("blkio.throttle.read_iops_device", disk() + " " + readsPerSecond);
    }

    @Override
    public Path limitMemory(long bytes, Undo undo) throws IOException {
      return memoryGroup(bytes, undo);
    }

    @Override
    public DiskStat stat() throws IOException {
      return new DiskStat(
          count("blkio.throttle.io_serviced"), count("blkio.throttle.io_service_bytes"), 0, 0);
    }

    private long count(String file) throws IOException {
      String begin = disk() + " Read ";
      return lines(file).stream().filter(line -> line.startsWith(begin))
          .mapToLong(line -> Long.parseLong(line.substring(begin.length()).trim())).sum();
    }
  }

  /** cgroup v2, controller io. */
  private static final class Second extends IoGroup {

    Second(Path directory, String disk) {
      super(directory, disk);
    }

    @Override
    public void limit(long bytesPerSecond, long readsPerSecond) throws IOException {
      set("io.max", disk() + " rbps=" + bytesPerSecond + " riops=" + readsPerSecond);
    }

    @Override
    public Path limitMemory(long bytes, Undo undo) throws IOException {
      set("memory.max", String.valueOf(bytes));
      return processes();
    }

    @Override
    public DiskStat stat() throws IOException {
      return new DiskStat(count("rios="), count("rbytes="), 0, 0);
    }

    private long count(String key) throws IOException {
      return lines("io.stat").stream().filter(line -> line.startsWith(disk() + " "))
          .flatMap(line -> List.of(line.split(" ")).stream())
          .filter(field -> field.startsWith(key))
          .mapToLong(field -> Long.parseLong(field.substring(key.length()))).sum();
    }
  }
}
