/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A process that ends with this one, or before. If the system property {@code harness.processes}
 * names a directory, a file there named after the process's id tells a script to end it if this
 * process was killed.
 */
public final class Daemon implements AutoCloseable {

  private static final int STOP_SECONDS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long STEP_MILLIS = 100;
  /** Below the kernel's ephemeral ports, so that no other process takes them meanwhile. */
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 12_000;
  private static final String MARKS = System.getProperty("harness.processes");

  private final String name;
  private final Process process;
  private final Path log;
  private final Thread hook = new Thread(this::forget, "end-daemon");

  private Daemon(String name, ProcessBuilder builder, Path log) throws IOException {
    this.name = name;
    this.log = log;
    this.process = builder.start();
    Runtime.getRuntime().addShutdownHook(hook);
    if (MARKS != null) {
      Files.createDirectories(Path.of(MARKS));
      Files.write(mark(), new byte[0]);
    }
  }

  private Path mark() {
    return Path.of(MARKS, String.valueOf(process.pid()));
  }

  /** Kills it, unless it has ended. */
  private void forget() {
    process.destroyForcibly();
    if (MARKS != null) {
      mark().toFile().delete();
    }
  }

  /** Starts a command; its output goes into the log. */
  public static Daemon start(String name, List<String> command, Path log) throws IOException {
    return start(name, command, log, log);
  }

  /** Starts a command that also writes its own log. */
  public static Daemon start(String name, List<String> command, Path output, Path log)
      throws IOException {
    return new Daemon(name, new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(output.toFile()), log);
  }

  /** Runs a command to its end. @throws IOException if it fails */
  public static void run(String name, List<String> command, Path log)
      throws IOException, InterruptedException {
    try (Daemon daemon = start(name, command, log)) {
      if (daemon.process.waitFor() != 0) {
        throw daemon.failure("failed");
      }
    }
  }

  /** @return the process. */
  public Process process() {
    return process;
  }

  /**
   * Waits for a condition.
   *
   * @param what the words after "does not" in the error message
   * @param condition an IOException is a no: its server does not listen yet
   * @throws IOException if the process ends, or the wait takes more than three minutes
   */
  public void await(String what, Wait.Condition condition) throws IOException {
    boolean done = Wait.until(() -> {
      boolean holds = holds(condition);
      if (!holds && !process.isAlive()) {
        throw failure("has ended");
      }
      return holds;
    }, PATIENCE, STEP_MILLIS);
    if (!done) {
      throw failure("does not " + what + " in " + PATIENCE.toSeconds() + " s");
    }
  }

  private static boolean holds(Wait.Condition condition) {
    try {
      return condition.isTrue();
    } catch (IOException e) {
      return false;
    }
  }

  /** @return an exception with the event, and the last error in its log. */
  public IOException failure(String what) {
    return new IOException(name + " " + what + lastError() + "; its log is " + log);
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
      // The log's name must be enough.
    }
    return "";
  }

  /** Ends it by SIGTERM and, if that takes too long, by SIGKILL. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      forget();
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // This process is about to end, and the hook with it.
    }
  }

  /** @return so many different free ports. */
  public static int[] freePorts(int number) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      while (sockets.size() < number) {
        int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
        try {
          sockets.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (BindException e) {
          // The port is in use: try another one.
        }
      }
      return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }
}
