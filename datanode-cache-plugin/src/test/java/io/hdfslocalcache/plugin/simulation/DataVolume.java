/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.block.ReplicaIdentity;

/**
 * The disk with the replicas: takes its time, and fails, hangs, is slow, or has a bad sector. Knows
 * what a thread that serves a client would have met there without a local cache, too; for the rest,
 * the local cache has to answer. In real time, it takes none and never fails.
 */
final class DataVolume {

  /** What it can have. */
  enum Fault {
    FAILS, HANGS, IS_SLOW, HAS_BAD_SECTOR
  }

  private static final int USUAL_NANOS = 5_000_000;
  private static final int SLOW_NANOS = 50_000_000;
  private static final long BAD_SECTOR_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  /** Where others wait for a volume, the local cache takes this, at most, for the time of a read. */
  private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final World world;
  private final ThreadLocal<Asked> asked = new ThreadLocal<>();
  private Fault fault;
  private BadSector badSector;
  private boolean wasSlow;

  /** @param isReadable whether the disk gets its bytes in the end */
  private record BadSector(ReplicaIdentity replica, long position, boolean isReadable) {
  }

  /** A client's read, and what it has met here that it would have met without a local cache. */
  static final class Asked {
    private final ReplicaIdentity replica;
    private final long from;
    private final long to;
    private long nanos;
    private boolean failed;

    private Asked(ReplicaIdentity replica, long from, long to) {
      this.replica = replica;
      this.from = from;
      this.to = to;
    }

    /** @return how long it has waited here. */
    long nanos() {
      return nanos;
    }

    /** @return whether it may fail. */
    boolean failed() {
      return failed;
    }
  }

  /** @param world null: in real time */
  DataVolume(World world) {
    this.world = world;
  }

  /** It gets a fault, in place of what it has. A bad sector is one of a replica. */
  void put(Fault newFault, ReplicaIdentity replica, long position, boolean isReadable) {
    badSector = newFault == Fault.HAS_BAD_SECTOR && replica != null
        ? new BadSector(replica, position, isReadable) : null;
    fault = newFault;
    wasSlow = true;
  }

  /** It has no fault any more. */
  void end() {
    fault = null;
    badSector = null;
  }

  /** A new process does not know how slow it was. */
  void forget() {
    wasSlow = false;
  }

  /** This thread serves a client from now on. @param from whole chunks, as the DataNode reads them */
  Asked begin(ReplicaIdentity replica, long from, long to) {
    Asked read = new Asked(replica, from, to);
    asked.set(read);
    return read;
  }

  /** This thread does so no more. */
  void endRead() {
    asked.remove();
  }

  /** @return whether this thread serves a client. */
  boolean servesClient() {
    return asked.get() != null;
  }

  /** @return how long visits may take of which a read waits for the ends, besides its budget. */
  long mostNanos(long visits) {
    return visits * 2 * (wasSlow ? SLOW_NANOS : USUAL_NANOS) + (wasSlow ? BUSY_NANOS : 0);
  }

  /** A file is opened, or looked at. */
  void open() throws IOException {
    if (world != null && fault != null) {
      passAll();
    }
  }

  /** Bytes of a replica are read. */
  void read(ReplicaIdentity replica, long from, long to) throws IOException {
    if (world == null) {
      return;
    }
    take(world.draw(fault == Fault.IS_SLOW ? SLOW_NANOS : USUAL_NANOS), true);
    passAll();
    BadSector bad = badSector;
    if (bad != null && bad.replica().equals(replica) && from <= bad.position()
        && bad.position() < to) {
      Asked read = asked.get();
      boolean isAsked = read != null && read.replica.equals(replica)
          && read.from <= bad.position() && bad.position() < read.to;
      take(BAD_SECTOR_NANOS, isAsked);
      if (!bad.isReadable()) {
        fail(isAsked);
      }
    }
  }

  /** What all of it has, every read without a local cache meets, too. */
  private void passAll() throws IOException {
    while (fault == Fault.HANGS) {
      take(LOOK_NANOS, true);
    }
    if (fault == Fault.FAILS) {
      fail(true);
    }
  }

  private void take(long nanos, boolean isAsked) throws IOException {
    Asked read = asked.get();
    if (read != null && isAsked) {
      read.nanos += nanos;
    }
    try {
      world.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted system call");
    }
  }

  private void fail(boolean isAsked) throws IOException {
    Asked read = asked.get();
    if (read != null && isAsked) {
      read.failed = true;
    }
    throw new IOException("Input/output error");
  }
}
