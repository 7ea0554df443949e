/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import io.hdfslocalcache.harness.Run;

/** A separate disk: a sparse file as a loop device, with ext4, mounted. Needs root. */
public final class LoopDisk {

  private static final int SECTOR = 512;
  /** Large enough for 150 MB/s with 150 sequential reads a second, as from a disk. */
  private static final String READ_AHEAD_KB = "1024";
  private static final String IMAGE = "disk.img";
  private static final Path TMPFS = Path.of("/dev/shm");

  private final String name;
  private final Path mount;

  private LoopDisk(String name, Path mount) {
    this.name = name;
    this.mount = mount;
  }

  /**
   * Creates a disk in memory. Allocates all of it at once, because otherwise a group with little
   * memory would be charged for its writes there.
   */
  public static LoopDisk inMemory(long bytes, Undo undo) throws IOException {
    Path directory = Files.createTempDirectory(TMPFS, "hdfs-local-cache-");
    undo.add("rm -r --one-file-system '" + directory + "'");
    Run.output(
        "fallocate", "-l", String.valueOf(bytes), directory.resolve(IMAGE).toString());
    return create(directory, bytes, undo);
  }

  /**
   * Creates a disk.
   *
   * @param directory for its file and its mount point
   * @param undo gets the commands that remove it
   */
  public static LoopDisk create(Path directory, long bytes, Undo undo) throws IOException {
    Path image = directory.resolve(IMAGE);
    Path mount = directory.resolve("mount");
    Files.createDirectories(mount);
    undo.add("rm -f '" + image + "'");
    Run.output("truncate", "-s", String.valueOf(bytes), image.toString());
    String device = Run.output("losetup", "-f", "--show", image.toString());
    undo.add("losetup -d " + device);
    // Later background writes of ext4 would be counted as ours.
    Run.output("mkfs.ext4", "-q", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0",
        device);
    undo.add("! mountpoint -q '" + mount + "' || umount '" + mount + "' || umount -l '"
        + mount + "'");
    Run.output("mount", "-o", "noatime", device, mount.toString());
    String name = device.substring(device.lastIndexOf('/') + 1);
    Files.writeString(Path.of("/sys/block/" + name + "/queue/read_ahead_kb"), READ_AHEAD_KB);
    return new LoopDisk(name, mount);
  }

  /** @return the root of its file system. */
  public Path mount() {
    return mount;
  }

  /** @return its device number, for cgroups. */
  String number() throws IOException {
    return Files.readString(Path.of("/sys/block/" + name + "/dev")).trim();
  }

  /** Syncs the file system. */
  public void sync() throws IOException {
    Run.output("sync", "-f", mount.toString());
  }

  /** @return the counters of the disk, for all processes. */
  public DiskStat stat() throws IOException {
    return DiskStat.of(mount);
  }

  /** Empties the kernel's caches of all file systems. */
  public static void dropCaches() throws IOException {
    Run.output("sync");
    Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
  }

  /**
   * The kernel's counters of a disk.
   *
   * @param reads completed reads
   * @param bytesRead bytes in them
   * @param writes completed writes
   * @param bytesWritten bytes in them
   */
  public record DiskStat(long reads, long bytesRead, long writes, long bytesWritten) {

    /**
     * @return the counters of a file system's disk
     * @throws IOException if the kernel does not count it, as of a file system in memory
     */
    public static DiskStat of(Path directory) throws IOException {
      long device = (long) Files.getAttribute(directory, "unix:dev");
      Path counted = Path.of("/sys/dev/block/" + (device >>> 8 & 0xfff) + ":"
          + (device & 0xff | device >>> 12 & 0xfff00) + "/stat");
      if (!Files.exists(counted)) {
        throw new IOException(directory + " is not on a disk whose reads and writes Linux counts");
      }
      long[] fields = Arrays.stream(Files.readString(counted).trim().split("\\s+"))
          .mapToLong(Long::parseLong).toArray();
      return new DiskStat(fields[0], fields[2] * SECTOR, fields[4], fields[6] * SECTOR);
    }

    /** @return the difference from an earlier state. */
    public DiskStat since(DiskStat earlier) {
      return new DiskStat(reads - earlier.reads, bytesRead - earlier.bytesRead,
          writes - earlier.writes, bytesWritten - earlier.bytesWritten);
    }
  }
}
