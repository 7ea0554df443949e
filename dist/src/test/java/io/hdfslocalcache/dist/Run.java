/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A command that was run to its end.
 *
 * @param exit its exit code
 * @param out all that it wrote, to either stream
 */
record Run(int exit, String out) {

  private static final int LIMIT_S = 900;

  /** Runs a command with a few more variables in its environment. */
  static Run of(Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("run", ".out");
    try {
      ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command))
          .redirectErrorStream(true).redirectOutput(out.toFile());
      builder.environment().remove("JAVA_HOME");
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new IOException(command + " has not ended within " + LIMIT_S + " s:\n"
            + Files.readString(out));
      }
      return new Run(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
    } finally {
      Files.deleteIfExists(out);
    }
  }
}
