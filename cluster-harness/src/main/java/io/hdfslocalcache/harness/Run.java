/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that ran to its end. Every wait has a time limit.
 *
 * @param exit its exit code
 * @param out its output, of both streams
 */
public record Run(int exit, String out) {

  private static final int LIMIT_S = 900;

  /**
   * Runs a program with additional environment variables, but without JAVA_HOME.
   *
   * @throws IOException if it cannot run, or takes more than a quarter of an hour
   */
  public static Run of(Map<String, String> environment, List<String> command) throws IOException {
    Path out = Files.createTempFile("run", ".out");
    try {
      ProcessBuilder builder = new ProcessBuilder(command)
          .redirectErrorStream(true).redirectOutput(out.toFile());
      builder.environment().remove("JAVA_HOME");
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new IOException(String.join(" ", command) + " has not ended within " + LIMIT_S
            + " s:\n" + Files.readString(out));
      }
      return new Run(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(String.join(" ", command) + ": interrupted");
    } finally {
      Files.deleteIfExists(out);
    }
  }

  /**
   * Runs a program that must not fail.
   *
   * @return its output, without surrounding spaces
   * @throws IOException if it fails; the message has the first line of its output
   */
  public static String output(String... command) throws IOException {
    Run run = of(Map.of(), List.of(command));
    if (run.exit != 0) {
      throw new IOException(String.join(" ", command) + ": "
          + run.out.trim().lines().findFirst().orElse("failed"));
    }
    return run.out.trim();
  }

  /** Runs a program that may fail. @return whether it succeeded */
  public static boolean tryTo(String... command) {
    try {
      return of(Map.of(), List.of(command)).exit == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
