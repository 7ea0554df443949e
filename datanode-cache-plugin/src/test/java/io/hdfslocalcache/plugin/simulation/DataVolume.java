/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.block.ReplicaIdentity;

/**
 * The disk with the replicas: takes its time, and fails, hangs, is slow, or has a bad sector. Knows
 * which of its faults a client's read would also have met without a local cache; for the rest, the
 * local cache has to answer. In real time, it takes no time and never fails.
 */
final class DataVolume {

  /** Its faults. */
  enum Fault {
    FAILS, HANGS, IS_SLOW, HAS_BAD_SECTOR
  }

  private static final int USUAL_NANOS = 5_000_000;
  private static final int SLOW_NANOS = 50_000_000;
  private static final long BAD_SECTOR_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  /** The longest time that the local cache assumes for a read of a busy volume. */
  private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final World world;
  private final ThreadLocal<Asked> asked = new ThreadLocal<>();
  private Fault fault;
  private BadSector badSector;
  private boolean wasSlow;

  /** @param isReadable whether the disk gets its bytes in the end */
  private record BadSector(ReplicaIdentity replica, long position, boolean isReadable) {
  }

  /** A client's read, with the faults that it would also have met without a local cache. */
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

  /** Sets its fault, in place of any other. A bad sector is one of a replica. */
  void put(Fault newFault, ReplicaIdentity replica, long position, boolean isReadable) {
    badSector = newFault == Fault.HAS_BAD_SECTOR && replica != null
        ? new BadSector(replica, position, isReadable) : null;
    fault = newFault;
    wasSlow = true;
  }

  /** Ends its fault. */
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

  /** This thread no longer serves a client. */
  void endRead() {
    asked.remove();
  }

  /** @return whether this thread serves a client. */
  boolean servesClient() {
    return asked.get() != null;
  }

  /** @return how long a read may wait for the ends of so many visits, besides its budget. */
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

  /** Faults of the whole disk, which reads without a local cache would meet, too. */
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
