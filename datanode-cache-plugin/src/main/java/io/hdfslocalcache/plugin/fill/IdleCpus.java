/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Whether a CPU of the machine is idle, from the first line of {@code /proc/stat}, which has the
 * time that all CPUs have spent so far, by kind (proc(5)). What a fill takes then is taken from
 * nobody. Where the kernel does not tell, none is idle.
 */
public final class IdleCpus implements BooleanSupplier {

  /** Returns the line. */
  interface Source {
    String line() throws IOException;
  }

  /** The kernel counts in hundredths of a second: over less than this they say little. */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  /** A longer time has the pause before this work in it, in which CPUs were idle that no longer are. */
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int IDLE = 4;
  private static final int WAITING_FOR_DISKS = 5;
  /** The time of guests, behind these, is in that of users, too. */
  private static final int KINDS = 9;

  private final Source source;
  private final int cpus;
  private final LongSupplier nanoClock;
  private long lookedAt;
  private long idle = -1;
  private long all;
  private boolean oneIsIdle;

  /** Looks at the machine. */
  public IdleCpus() {
    this(() -> firstLine(Path.of("/proc/stat")), Runtime.getRuntime().availableProcessors(),
        System::nanoTime);
  }

  IdleCpus(Source source, int cpus, LongSupplier nanoClock) {
    this.source = source;
    this.cpus = cpus;
    this.nanoClock = nanoClock;
  }

  private static String firstLine(Path file) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      return reader.readLine();
    }
  }

  @Override
  public synchronized boolean getAsBoolean() {
    long now = nanoClock.getAsLong();
    if (idle < 0 || now - lookedAt >= LEAST_NANOS) {
      try {
        look(source.line(), idle >= 0 && now - lookedAt < MOST_NANOS);
      } catch (IOException | RuntimeException e) {
        oneIsIdle = false;
      }
      lookedAt = now;
    }
    return oneIsIdle;
  }

  private void look(String line, boolean compare) {
    String[] fields = line.trim().split("\\s+");
    long idleNow = Long.parseLong(fields[IDLE]) + Long.parseLong(fields[WAITING_FOR_DISKS]);
    long allNow = 0;
    for (int i = 1; i < Math.min(fields.length, KINDS); i++) {
      allNow += Long.parseLong(fields[i]);
    }
    oneIsIdle = compare && allNow > all && (idleNow - idle) * cpus >= allNow - all;
    idle = idleNow;
    all = allNow;
  }
}
