/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;


/** Commands of the system. */
final class Shell {

  private Shell() {
  }

  /**
   * Runs a command to its end.
   *
   * @return what it printed
   * @throws DiskException if it fails, with what it said
   */
  static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    if (process.waitFor() != 0) {
      throw new DiskException(String.join(" ", command) + ": "
          + output.lines().findFirst().orElse("failed"));
    }
    return output;
  }
}
