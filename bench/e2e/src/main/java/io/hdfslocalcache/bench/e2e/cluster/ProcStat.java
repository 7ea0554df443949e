/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * CPU time of a process as the kernel counts it (proc(5), utime and stime), in its ticks of 10 ms.
 *
 * @param all of the whole process
 * @param compiler of the threads that compile Java code, which say more about how long ago the
 *     process was started than about what it does
 */
public record ProcStat(double all, double compiler) {

  private static final double TICKS_PER_SECOND = 100;
  private static final int UTIME = 11;
  private static final int STIME = 12;

  /** @return seconds without those of the compiler. */
  public double seconds() {
    return all - compiler;
  }

  /** @throws IOException if there is no such process */
  public static ProcStat of(long pid) throws IOException {
    Path process = Path.of("/proc/" + pid);
    double compiler = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
      for (Path thread : threads) {
        compiler += compilerSeconds(thread);
      }
    }
    return new ProcStat(seconds(Files.readString(process.resolve("stat"))), compiler);
  }

  private static double compilerSeconds(Path thread) throws IOException {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.contains("CompilerThre") ? seconds(stat) : 0;
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      // The thread has ended between opening and reading.
      return 0;
    }
  }

  private static double seconds(String stat) {
    // The name, in brackets, may have spaces.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) / TICKS_PER_SECOND;
  }
}
