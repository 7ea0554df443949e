/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/**
 * CPU time of a process, up to a moment or between two.
 *
 * @param seconds without JIT compiler threads
 * @param compilerSeconds of the JIT compiler threads, which depend more on the age of the process
 *     than on its work; 0 if the kernel has no scheduler statistics
 */
record CpuTime(double seconds, double compilerSeconds) {

  private static final double NANOS = 1e9;
  /** How the kernel numbers the clocks of processes: see its posix-timers.h. */
  private static final int SCHEDULED = 2;
  private static final C LIBRARY = Native.load("c", C.class);

  /** Functions of the C library. */
  private interface C extends Library {
    int clock_gettime(int clock, Pointer time);
  }

  /** @throws IOException if there is no such process */
  static CpuTime of(long pid) throws IOException {
    double compiler = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid, "task"))) {
      for (Path task : tasks) {
        compiler += compilerSeconds(task);
      }
    }
    return new CpuTime(seconds(pid) - compiler, compiler);
  }

  /**
   * The CPU clock of a process, for all its threads, including ended ones:
   * {@code clock_gettime} of the clock that {@code clock_getcpuclockid} names, in nanoseconds.
   * {@code /proc/PID/stat} has ticks of 10 ms, too coarse for a slice of half a second.
   */
  private static double seconds(long pid) throws IOException {
    Memory time = new Memory(2 * Long.BYTES);
    if (LIBRARY.clock_gettime((int) (~pid << 3 | SCHEDULED), time) != 0) {
      throw new IOException("no process " + pid);
    }
    return time.getLong(0) + time.getLong(Long.BYTES) / NANOS;
  }

  private static double compilerSeconds(Path task) {
    try {
      if (!Files.readString(task.resolve("comm")).contains("CompilerThre")) {
        return 0;
      }
      String text = Files.readString(task.resolve("schedstat"));
      return Long.parseLong(text.substring(0, text.indexOf(' '))) / NANOS;
    } catch (IOException e) {
      // The thread has ended between listing and reading.
      return 0;
    }
  }

  /** @return the time used since an earlier moment. */
  CpuTime since(CpuTime earlier) {
    // The time of an ended compiler thread is lost.
    double all = seconds + compilerSeconds - earlier.seconds - earlier.compilerSeconds;
    double compiler = Math.max(0, compilerSeconds - earlier.compilerSeconds);
    return new CpuTime(all - compiler, compiler);
  }
}
