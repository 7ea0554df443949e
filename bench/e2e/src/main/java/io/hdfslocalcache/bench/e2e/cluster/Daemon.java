/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.bench.e2e.BenchException;

/**
 * A process of the benchmark's own. Ended when this one ends; a file with its id as its name tells
 * {@code bench/run} to end it if this one was killed.
 */
public final class Daemon implements AutoCloseable {

  private static final int STOP_SECONDS = 20;
  private static final File MARKS =
      new File(System.getProperty("bench.processes", System.getProperty("java.io.tmpdir")));

  private final String name;
  private final Process process;
  private final Path log;
  private final Thread hook;

  private Daemon(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.hook = new Thread(() -> {
      process.destroyForcibly();
      mark().delete();
    });
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private File mark() {
    return new File(MARKS, String.valueOf(process.pid()));
  }

  private Daemon marked() throws IOException {
    Files.createDirectories(MARKS.toPath());
    mark().createNewFile();
    return this;
  }

  /** Starts a command; all it prints goes into the log. */
  static Daemon start(String name, List<String> command, Path log) throws IOException {
    return new Daemon(name, new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(log.toFile()).start(), log).marked();
  }

  /** Starts a command that is spoken to; what it prints to standard error goes into the log. */
  static Daemon startForDialogue(String name, List<String> command, Path log) throws IOException {
    return new Daemon(
        name, new ProcessBuilder(command).redirectError(log.toFile()).start(), log).marked();
  }

  /** Runs a command to its end. */
  static void run(String name, List<String> command, Path log)
      throws IOException, InterruptedException {
    try (Daemon daemon = start(name, command, log)) {
      if (daemon.process.waitFor() != 0) {
        throw daemon.failure("failed");
      }
    }
  }

  Process process() {
    return process;
  }

  long pid() {
    return process.pid();
  }

  /** @throws BenchException if it has ended */
  void checkAlive() {
    if (!process.isAlive()) {
      throw failure("has ended");
    }
  }

  BenchException failure(String what) {
    return new BenchException(name + " " + what + lastError() + "; its log is " + log);
  }

  private String lastError() {
    try {
      List<String> lines = Files.readAllLines(log);
      for (int i = lines.size() - 1; i >= 0; i--) {
        if (lines.get(i).matches(".*( ERROR | FATAL |Exception: ).*")) {
          return ": " + lines.get(i);
        }
      }
    } catch (IOException e) {
      // The log's name will have to do.
    }
    return "";
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      mark().delete();
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // This process is about to end, and the hook with it.
    }
  }
}
