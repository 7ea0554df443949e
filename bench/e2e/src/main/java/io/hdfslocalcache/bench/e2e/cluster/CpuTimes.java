/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * CPU time that a process has used up to one moment.
 *
 * @param all of the whole process
 * @param compiler of the threads that compile Java code, which say more about how long ago the
 *     process was started than about what it does; 0 where the kernel has no scheduler statistics
 */
public record CpuTimes(double all, double compiler) {

  private static final double NANOS = 1e9;

  /** CPU time used between two moments, that of the compiler apart. */
  public record Used(double seconds, double compilerSeconds) {
  }

  /** @throws IOException if there is no such process */
  public static CpuTimes of(long pid) throws IOException {
    double compiler = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid, "task"))) {
      for (Path task : tasks) {
        compiler += compilerSeconds(task);
      }
    }
    return new CpuTimes(ProcessClock.seconds(pid), compiler);
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

  /** @return what was used since an earlier moment. */
  public Used since(CpuTimes earlier) {
    double compiled = Math.max(0, compiler - earlier.compiler);
    return new Used(all - earlier.all - compiled, compiled);
  }
}
