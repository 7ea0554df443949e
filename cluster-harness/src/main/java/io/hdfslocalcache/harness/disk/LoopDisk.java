/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import io.hdfslocalcache.harness.Run;

/** A disk of its own: a sparse file as a loop device, with ext4, mounted. Needs root. */
public final class LoopDisk {

  private static final int SECTOR = 512;
  /** So large that a sequential reader gets 150 MB/s out of 150 reads a second, as from a disk. */
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
   * Makes a disk in memory. Takes all of it at once: else a group of processes that may use little
   * memory would pay for what it writes there.
   */
  public static LoopDisk inMemory(long bytes, Undo undo) throws IOException {
    Path directory = Files.createTempDirectory(TMPFS, "hdfs-local-cache-");
    undo.add("rm -r --one-file-system '" + directory + "'");
    Run.output(
        "fallocate", "-l", String.valueOf(bytes), directory.resolve(IMAGE).toString());
    return create(directory, bytes, undo);
  }

  /**
   * Makes a disk.
   *
   * @param directory for its file and its mount point
   * @param undo learns how to take it away
   */
  public static LoopDisk create(Path directory, long bytes, Undo undo) throws IOException {
    Path image = directory.resolve(IMAGE);
    Path mount = directory.resolve("mount");
    Files.createDirectories(mount);
    undo.add("rm -f '" + image + "'");
    Run.output("truncate", "-s", String.valueOf(bytes), image.toString());
    String device = Run.output("losetup", "-f", "--show", image.toString());
    undo.add("losetup -d " + device);
    // What ext4 would write later on its own would be counted as ours.
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

  /** @return its number, as cgroups want it. */
  String number() throws IOException {
    return Files.readString(Path.of("/sys/block/" + name + "/dev")).trim();
  }

  /** Writes what is in memory only. */
  public void sync() throws IOException {
    Run.output("sync", "-f", mount.toString());
  }

  /** @return what the disk has done, for whomever. */
  public DiskStat stat() throws IOException {
    return DiskStat.of(mount);
  }

  /** Empties the kernel's caches of all file systems. */
  public static void dropCaches() throws IOException {
    Run.output("sync");
    Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
  }

  /**
   * What the kernel has counted for a disk.
   *
   * @param reads completed reads
   * @param bytesRead bytes in them
   * @param writes completed writes
   * @param bytesWritten bytes in them
   */
  public record DiskStat(long reads, long bytesRead, long writes, long bytesWritten) {

    /**
     * @return what the disk of a file system has done up to now
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

    /** @return what has come since. */
    public DiskStat since(DiskStat earlier) {
      return new DiskStat(reads - earlier.reads, bytesRead - earlier.bytesRead,
          writes - earlier.writes, bytesWritten - earlier.bytesWritten);
    }
  }
}
