/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time of the threads of a process at one moment, from {@code /proc/PID/task/TID/schedstat}: in
 * nanoseconds, where {@code /proc/PID/stat} counts in ticks of 10 ms, too coarse for a slice of half a
 * second. A thread that ends takes with it what it used since the moment before: next to nothing, for
 * threads of a DataNode end when their connection was idle for seconds.
 */
public final class ThreadTimes {

  private static final double NANOS = 1e9;
  private static final double TICKS = 100;
  private static final int UTIME = 11;
  private static final int STIME = 12;

  /** CPU time used between two moments. */
  public record Used(double seconds, double compilerSeconds) {
  }

  private record Time(boolean isCompiler, double seconds) {
  }

  private final Map<String, Time> threads = new HashMap<>();

  private ThreadTimes() {
  }

  /** @throws IOException if there is no such process */
  public static ThreadTimes of(long pid) throws IOException {
    ThreadTimes times = new ThreadTimes();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid, "task"))) {
      for (Path task : tasks) {
        times.add(task);
      }
    }
    return times;
  }

  private void add(Path task) {
    try {
      String name = Files.readString(task.resolve("comm"));
      threads.put(task.getFileName().toString(),
          new Time(name.contains("CompilerThre"), seconds(task)));
    } catch (IOException e) {
      // The thread has ended between listing and reading.
    }
  }

  private static double seconds(Path task) throws IOException {
    Path precise = task.resolve("schedstat");
    if (Files.exists(precise)) {
      String text = Files.readString(precise);
      return Long.parseLong(text.substring(0, text.indexOf(' '))) / NANOS;
    }
    // A kernel without scheduler statistics; the name, in brackets, may have spaces.
    String stat = Files.readString(task.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) / TICKS;
  }

  /**
   * What was used since an earlier moment.
   *
   * @return the threads that compile Java code apart from all others: they say more about how long
   *     ago the process was started than about what it does
   */
  public Used since(ThreadTimes earlier) {
    double seconds = 0;
    double compiler = 0;
    for (Map.Entry<String, Time> thread : threads.entrySet()) {
      Time now = thread.getValue();
      Time before = earlier.threads.get(thread.getKey());
      double used = now.seconds() - (before == null ? 0 : before.seconds());
      if (now.isCompiler()) {
        compiler += used;
      } else {
        seconds += used;
      }
    }
    return new Used(seconds, compiler);
  }
}
