/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import static io.hdfslocalcache.faults.Ssd.Kind.EXT4;
import static io.hdfslocalcache.faults.Ssd.Kind.FUSE;
import static io.hdfslocalcache.faults.Ssd.Kind.XFS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.ssd.TestingSsd;

/**
 * Something that happens to an SSD, or to memory, and ends.
 *
 * @param name what happens
 * @param kind kind of the affected SSD
 * @param readers clients that read meanwhile
 * @param millis how long it lasts
 * @param isQuick whether it is in the quick set, which has one of each sort
 * @param beginning starts it
 * @param ending ends it and undoes all its effects
 */
public record Fault(String name, Ssd.Kind kind, int readers, long millis, boolean isQuick,
    Step beginning, Step ending) {

  /**
   * Kernel file systems have their block size in memory. If statfs failed while a file is opened
   * for direct I/O, the JDK would leak the file's descriptor.
   */
  private static final String ALL_BUT_STATFS =
      "stat,open,read,write,create,unlink,rename,mkdir,rmdir,readdir,sync,setattr";
  private static final int MANY = 200;
  /** About as many readers as clients and DataNode in one process can serve. */
  private static final int MOST = 1000;
  /** Longer than a write may take, which is ten times the deadline. */
  private static final long LONG_MILLIS = 12_000;
  /** As long as some SSDs take to retire a broken part. */
  private static final long VERY_LONG_MILLIS = 15_000;

  /** An action on a cluster. */
  public interface Step {
    /** Performs it. */
    void on(FaultCluster cluster) throws IOException;
  }

  /** @return all faults; {@link FaultFs#fault} explains what each one affects */
  public static List<Fault> all() {
    return List.of(
        of(FUSE, "read fails (EIO)", "read eio").quick(),
        of(FUSE, "read fails (EIO)", "read eio").readers(MANY),
        of(FUSE, "open fails (EIO)", "open eio"),
        of(FUSE, "write fails (EIO)", "write eio"),
        of(FUSE, "rename fails (EIO)", "rename eio"),
        of(FUSE, "unlink fails (EIO)", "unlink eio"),
        of(FUSE, "everything fails (EIO)", ALL_BUT_STATFS + " eio").quick(),
        of(FUSE, "every 20th read fails (EIO)", "read eio every 20"),
        of(FUSE, "read-only (EROFS)", "modify erofs").quick(),
        of(FUSE, "no space (ENOSPC)", "write enospc"),
        of(FUSE, "over a quota (EDQUOT)", "write edquot").quick(),
        of(FUSE, "read hangs", "read hang").readers(MANY),
        of(FUSE, "open hangs", "open hang").readers(MANY),
        of(FUSE, "write hangs", "write hang").readers(MANY),
        of(FUSE, "write hangs for 12 s", "write hang").lasting(LONG_MILLIS),
        of(FUSE, "unlink hangs", "unlink hang").readers(MANY),
        of(FUSE, "unlink hangs for 12 s", "unlink hang").lasting(LONG_MILLIS),
        of(FUSE, "rename hangs", "rename hang"),
        of(FUSE, "stat hangs", "stat hang"),
        of(FUSE, "everything hangs", "all hang").readers(1),
        of(FUSE, "everything hangs", "all hang").readers(MANY).quick(),
        of(FUSE, "everything hangs", "all hang").readers(MOST),
        of(FUSE, "a bad sector: every 50th read hangs", "read hang every 50").readers(1),
        of(FUSE, "a bad sector: every 50th read hangs", "read hang every 50"),
        of(FUSE, "reads take 53 ms", "read delay 53").readers(1),
        of(FUSE, "reads take 53 ms", "read delay 53").readers(120),
        of(FUSE, "reads take 123 ms", "read delay 123").readers(1),
        of(FUSE, "reads take 123 ms", "read delay 123").readers(120),
        of(FUSE, "reads take 860 ms", "read delay 860").readers(1),
        of(FUSE, "reads take 860 ms", "read delay 860").readers(120),
        of(FUSE, "reads take 300 ms", "read delay 300").quick(),
        of(FUSE, "reads take 300 ms", "read delay 300").readers(MANY),
        of(FUSE, "reads take 3 s", "read delay 3000"),
        of(FUSE, "everything takes 3 s", "all delay 3000"),
        of(FUSE, "each read with a flipped bit", "read flip").quick(),
        of(FUSE, "every 50th read with a flipped bit", "read flip every 50"),
        of(FUSE, "each read zero-filled", "read zero"),
        of(EXT4, "reads fail (EIO)", "read eio"),
        of(EXT4, "reads hang", "read hang").readers(MANY).quick(),
        of(EXT4, "everything hangs", "all hang").readers(1).quick(),
        of(EXT4, "everything hangs", "all hang").readers(MANY),
        of(EXT4, "reads take 300 ms", "read delay 300"),
        // A wrong bit in its metadata would stop the file system.
        of(EXT4, "each read with a flipped bit", "read flip only data").quick(),
        of(EXT4, "every 20th read with a flipped bit", "read flip every 20 only data"),
        of(EXT4, "each read zero-filled", "read zero only data"),
        // On a file system with access times, the first read of a page needs the journal.
        of(EXT4, "writes hang for 15 s", "write,sync hang").lasting(VERY_LONG_MILLIS).quick(),
        of(EXT4, "everything hangs for 15 s", "all hang").lasting(VERY_LONG_MILLIS),
        withoutAccessTimes(of(EXT4, "writes hang for 15 s", "write,sync hang")
            .lasting(VERY_LONG_MILLIS)),
        whilePagesAreEvicted(of(EXT4, "writes hang", "write,sync hang")
            .lasting(VERY_LONG_MILLIS)).quick(),
        of(XFS, "writes hang for 15 s", "write,sync hang").lasting(VERY_LONG_MILLIS).quick(),
        of(XFS, "reads hang", "read hang").readers(MANY),
        of(EXT4, "filled up by somebody else", Fault::fill, cluster ->
            Files.deleteIfExists(ofSomebodyElse(cluster.ssd()))).quick(),
        of(EXT4, "memory: the tmpfs is full",
            cluster -> cluster.memory().fill(), cluster -> cluster.memory().free()),
        of(EXT4, "memory: somebody removes the tmpfs",
            cluster -> cluster.memory().unmount(), Fault::mountMemory).quick());
  }

  private static Fault of(Ssd.Kind kind, String name, String fault) {
    return new Fault(name, kind, 8, 2500, false,
        cluster -> cluster.ssd().faults().fault(fault),
        cluster -> cluster.ssd().faults().clear());
  }

  private static Fault of(Ssd.Kind kind, String name, Step beginning, Step ending) {
    return new Fault(name, kind, 8, 2500, false, beginning, ending);
  }

  private Fault readers(int newReaders) {
    return new Fault(name, kind, newReaders, millis, isQuick, beginning, ending);
  }

  private Fault lasting(long newMillis) {
    return new Fault(name, kind, readers, newMillis, isQuick, beginning, ending);
  }

  private Fault quick() {
    return new Fault(name, kind, readers, millis, true, beginning, ending);
  }

  /** @return a fault during another condition, which ends after it */
  private static Fault during(Fault fault, String what, Step beginning, Step ending) {
    return new Fault(fault.name + ", " + what, fault.kind, fault.readers, fault.millis,
        fault.isQuick, cluster -> {
          beginning.on(cluster);
          fault.beginning.on(cluster);
        }, cluster -> {
          fault.ending.on(cluster);
          if (cluster.ssd().isInService()) {
            ending.on(cluster);
          }
        });
  }

  private static Fault withoutAccessTimes(Fault fault) {
    return during(fault, "noatime", cluster -> cluster.ssd().image().remount("noatime"),
        cluster -> cluster.ssd().image().remount("relatime"));
  }

  /** An operator reduces the capacity. */
  private static Fault whilePagesAreEvicted(Fault fault) {
    return during(fault, "and pages are evicted",
        cluster -> setCapacity(cluster, FaultCluster.CAPACITY / 8),
        cluster -> setCapacity(cluster, FaultCluster.CAPACITY));
  }

  private static void setCapacity(FaultCluster cluster, long bytes) {
    cluster.cluster().view(0).set("capacity", String.valueOf(bytes), false);
  }

  private static Path ofSomebodyElse(Ssd ssd) {
    return ssd.directory().resolveSibling("of-somebody-else");
  }

  private static void fill(FaultCluster cluster) throws IOException {
    Path other = ofSomebodyElse(cluster.ssd());
    long free = Files.getFileStore(cluster.ssd().directory()).getUsableSpace();
    while (free >= 4096) {
      // How much space the file's metadata needs is unknown.
      Run.tryTo("fallocate", "-o", String.valueOf(Files.exists(other)
          ? Files.size(other) : 0), "-l", String.valueOf(free), other.toString());
      free = Math.min(
          free / 2, Files.getFileStore(cluster.ssd().directory()).getUsableSpace());
    }
    try {
      while (true) {
        Files.write(other, new byte[4096], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    } catch (IOException e) {
      // Not one block is left.
    }
  }

  private static void mountMemory(FaultCluster cluster) throws IOException {
    if (!TestingSsd.openFilesBelow(cluster.memory().directory()).isEmpty()) {
      throw new AssertionError("pages for memory were written to the disk below");
    }
    cluster.memory().mount();
  }

  /** Begins. */
  public void begin(FaultCluster cluster) throws IOException {
    beginning.on(cluster);
  }

  /** Ends. */
  public void end(FaultCluster cluster) throws IOException {
    ending.on(cluster);
  }

  @Override
  public String toString() {
    return kind + ", " + name + ", " + readers + " readers";
  }
}
