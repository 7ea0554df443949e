/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.hdfslocalcache.faults.Ssd.Kind;

/**
 * A fault under load.
 *
 * @param name what happens to the SSD
 * @param kind the SSD
 * @param fault how it happens
 * @param readers clients that read all the time
 * @param millis how long the fault lasts
 */
public record Scenario(String name, Ssd.Kind kind, Fault fault, int readers, long millis) {

  /**
   * A file system of the kernel has its block size in memory. If it could not be had while a file is
   * opened for direct I/O, the JDK would lose the file's descriptor.
   */
  private static final String ALL_BUT_STATFS =
      "stat,open,read,write,create,unlink,rename,mkdir,rmdir,readdir,sync,setattr";
  private static final int SOME = 8;
  private static final int MANY = 200;
  private static final long MILLIS = 2500;
  /** Longer than a write may take, which is ten times the deadline. */
  private static final long LONG_MILLIS = 12_000;
  /** As long as some SSDs take to do without a part that is broken. */
  private static final long VERY_LONG_MILLIS = 15_000;

  @Override
  public String toString() {
    return kind + ", " + name + ", " + readers + " readers";
  }

  /** @return one of each sort: what there is time for after each change. */
  public static List<Scenario> some() {
    Set<String> names = Set.of("FUSE, read fails (EIO), 8 readers",
        "FUSE, everything fails (EIO), 8 readers", "FUSE, read-only (EROFS), 8 readers",
        "FUSE, everything hangs, 200 readers", "FUSE, reads take 300 ms, 8 readers",
        "FUSE, each read with a flipped bit, 8 readers",
        "FUSE, over a quota (EDQUOT), 8 readers",
        "EXT4, filled up by somebody else, 8 readers", "EXT4, reads hang, 200 readers",
        "EXT4, everything hangs, 1 readers", "EXT4, writes hang for 15 s, 8 readers",
        "XFS, writes hang for 15 s, 8 readers",
        "EXT4, pages are evicted while writes hang, 8 readers",
        "EXT4, memory: somebody removes the tmpfs, 8 readers", "EXT4, each read with a flipped bit, 8 readers");
    return all().stream().filter(scenario -> names.contains(scenario.toString())).toList();
  }

  /** @return all of them. */
  public static List<Scenario> all() {
    List<Scenario> all = new ArrayList<>();
    addErrors(all);
    addHangs(all);
    addSlow(all);
    addWrongBytes(all);
    addOnDevice(all);
    addLongHangs(all);
    addMemory(all);
    return all;
  }

  private static void addErrors(List<Scenario> all) {
    add(all, Kind.FUSE, "read fails (EIO)", "read eio", SOME, MANY);
    add(all, Kind.FUSE, "open fails (EIO)", "open eio", SOME);
    add(all, Kind.FUSE, "write fails (EIO)", "write eio", SOME);
    add(all, Kind.FUSE, "rename fails (EIO)", "rename eio", SOME);
    add(all, Kind.FUSE, "unlink fails (EIO)", "unlink eio", SOME);
    add(all, Kind.FUSE, "everything fails (EIO)", ALL_BUT_STATFS + " eio", SOME);
    add(all, Kind.FUSE, "every 20th read fails (EIO)", "read eio every 20", SOME);
    add(all, Kind.FUSE, "read-only (EROFS)", "modify erofs", SOME);
    add(all, Kind.FUSE, "no space (ENOSPC)", "write enospc", SOME);
    add(all, Kind.FUSE, "over a quota (EDQUOT)", "write edquot", SOME);
  }

  private static void addHangs(List<Scenario> all) {
    add(all, Kind.FUSE, "read hangs", "read hang", 1, MANY);
    add(all, Kind.FUSE, "open hangs", "open hang", 1, MANY);
    add(all, Kind.FUSE, "write hangs", "write hang", 1, MANY);
    all.add(new Scenario("write hangs for 12 s", Kind.FUSE, Fault.of("write hang"), SOME,
        LONG_MILLIS));
    add(all, Kind.FUSE, "unlink hangs", "unlink hang", 1, MANY);
    all.add(new Scenario("unlink hangs for 12 s", Kind.FUSE, Fault.of("unlink hang"), SOME,
        LONG_MILLIS));
    add(all, Kind.FUSE, "rename hangs", "rename hang", SOME);
    add(all, Kind.FUSE, "stat hangs", "stat hang", SOME);
    add(all, Kind.FUSE, "everything hangs", "all hang", 1, MANY);
  }

  private static void addSlow(List<Scenario> all) {
    add(all, Kind.FUSE, "reads take 300 ms", "read delay 300", SOME, MANY);
    add(all, Kind.FUSE, "reads take 3 s", "read delay 3000", SOME, MANY);
    add(all, Kind.FUSE, "everything takes 300 ms", "all delay 300", SOME);
    add(all, Kind.FUSE, "everything takes 3 s", "all delay 3000", SOME);
  }

  private static void addWrongBytes(List<Scenario> all) {
    add(all, Kind.FUSE, "each read with a flipped bit", "read flip", SOME);
    add(all, Kind.FUSE, "every 50th read with a flipped bit", "read flip every 50", SOME);
    add(all, Kind.FUSE, "each read zero-filled", "read zero", SOME);
  }

  private static void addOnDevice(List<Scenario> all) {
    add(all, Kind.XFS, "reads fail (EIO)", "read eio", SOME);
    add(all, Kind.XFS, "reads hang", "read hang", MANY);
    all.add(new Scenario("filled up by somebody else", Kind.EXT4, Fault.fullDisk(), SOME, MILLIS));
    add(all, Kind.EXT4, "reads fail (EIO)", "read eio", SOME);
    add(all, Kind.EXT4, "reads hang", "read hang", 1, MANY);
    add(all, Kind.EXT4, "writes hang", "write,sync hang", SOME);
    add(all, Kind.EXT4, "everything hangs", "all hang", 1, MANY);
    add(all, Kind.EXT4, "reads take 300 ms", "read delay 300", SOME);
    add(all, Kind.EXT4, "reads take 3 s", "read delay 3000", SOME);
    // In the file system's own blocks a wrong bit ends the file system: OutOfService is for that.
    add(all, Kind.EXT4, "each read with a flipped bit", "read flip only data", SOME);
    add(all, Kind.EXT4, "every 20th read with a flipped bit", "read flip every 20 only data", SOME);
    add(all, Kind.EXT4, "each read zero-filled", "read zero only data", SOME);
  }

  /** On a file system with access times, the first read of a page needs the journal. */
  private static void addLongHangs(List<Scenario> all) {
    Fault writes = Fault.of("write,sync hang");
    Fault everything = Fault.of("all hang");
    for (Kind kind : List.of(Kind.EXT4, Kind.XFS)) {
      addLong(all, kind, "writes hang for 15 s", writes);
      addLong(all, kind, "writes hang for 15 s, noatime", writes.withoutAccessTimes());
      addLong(all, kind, "everything hangs for 15 s", everything);
      addLong(all, kind, "everything hangs for 15 s, noatime", everything.withoutAccessTimes());
      addLong(all, kind, "pages are evicted while writes hang", writes.whilePagesAreEvicted());
    }
  }

  private static void addLong(List<Scenario> all, Kind kind, String name, Fault fault) {
    all.add(new Scenario(name, kind, fault, SOME, VERY_LONG_MILLIS));
  }

  private static void addMemory(List<Scenario> all) {
    all.add(new Scenario("memory: the tmpfs is full", Kind.EXT4, Fault.fullMemory(), SOME, MILLIS));
    all.add(new Scenario(
        "memory: somebody removes the tmpfs", Kind.EXT4, Fault.removedMemory(), SOME, MILLIS));
  }

  private static void add(List<Scenario> all, Kind kind, String name, String fault,
      int... readers) {
    for (int n : readers) {
      all.add(new Scenario(name, kind, Fault.of(fault), n, MILLIS));
    }
  }
}
