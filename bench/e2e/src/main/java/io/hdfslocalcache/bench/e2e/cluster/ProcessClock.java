/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/**
 * The CPU clock of another process, all its threads together, those that have ended among them:
 * {@code clock_gettime} of the clock that {@code clock_getcpuclockid} names, in nanoseconds. What
 * {@code /proc/PID/stat} has are ticks of 10 ms, too coarse for a slice of half a second.
 */
final class ProcessClock {

  private static final double NANOS = 1e9;
  private static final double TICKS = 100;
  private static final int UTIME = 11;
  private static final int STIME = 12;
  /** How the kernel numbers the clocks of processes: see its posix-timers.h. */
  private static final int SCHEDULED = 2;

  /** What is needed of the C library. */
  private interface C extends Library {
    int clock_gettime(int clock, Pointer time);
  }

  private static final C LIBRARY = load();

  private ProcessClock() {
  }

  private static C load() {
    try {
      return Native.load("c", C.class);
    } catch (UnsatisfiedLinkError e) {
      return null;
    }
  }

  /** @return seconds. @throws IOException if there is no such process */
  static double seconds(long pid) throws IOException {
    if (LIBRARY == null) {
      return ofTicks(pid);
    }
    Memory time = new Memory(2 * Long.BYTES);
    if (LIBRARY.clock_gettime((int) (~pid << 3 | SCHEDULED), time) != 0) {
      throw new IOException("no process " + pid);
    }
    return time.getLong(0) + time.getLong(Long.BYTES) / NANOS;
  }

  /** The next best, where JNA has no library for the machine. */
  private static double ofTicks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid, "stat"));
    // The name, in brackets, may have spaces.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) / TICKS;
  }
}
