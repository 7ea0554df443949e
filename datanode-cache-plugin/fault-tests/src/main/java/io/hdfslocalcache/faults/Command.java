/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Runs programs of the system. Every wait has an end. */
public final class Command {

  private static final int SECONDS = 60;

  private Command() {
  }

  /**
   * Runs a program to its end.
   *
   * @return what it printed, both streams
   * @throws IOException if it cannot be run, fails, or takes more than a minute
   */
  public static String run(String... words) throws IOException {
    Path output = Files.createTempFile("command", ".out");
    try {
      Process process = new ProcessBuilder(words)
          .redirectErrorStream(true).redirectOutput(output.toFile()).start();
      process.getOutputStream().close();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(String.join(" ", words) + ": no end after " + SECONDS + " s");
      }
      String printed = Files.readString(output, StandardCharsets.UTF_8).trim();
      if (process.exitValue() != 0) {
        throw new IOException(
            String.join(" ", words) + ": exit " + process.exitValue() + ": " + printed);
      }
      return printed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(String.join(" ", words) + ": interrupted", e);
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** Runs a program and does not mind if it fails. */
  static void tryToRun(String... words) {
    try {
      run(words);
    } catch (IOException e) {
      // Cleaning up: what was not there cannot be removed.
    }
  }

  /** @return whether there is a program of this name on the PATH. */
  static boolean exists(String program) {
    for (String directory : (System.getenv("PATH") + ":/usr/sbin:/sbin").split(":")) {
      if (Files.isExecutable(Path.of(directory, program))) {
        return true;
      }
    }
    return false;
  }
}
