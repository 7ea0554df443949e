/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.bench.e2e.BenchException;
import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.client.LoadResult;

/** The readers' process, seen from here. */
public final class Client implements AutoCloseable {

  static final String MAIN = "io.hdfslocalcache.bench.e2e.client.ReadClient";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Daemon daemon;
  private final Writer commands;
  private final BufferedReader answers;

  Client(Daemon daemon) {
    this.daemon = daemon;
    this.commands =
        new OutputStreamWriter(daemon.process().getOutputStream(), StandardCharsets.UTF_8);
    this.answers = new BufferedReader(
        new InputStreamReader(daemon.process().getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Runs loads at the same time, to their end.
   *
   * @return a result for each; none for files written or verified
   * @throws BenchException if a read fails, or a byte is wrong
   */
  public List<LoadResult> run(Load... loads) throws IOException {
    commands.write(JSON.writeValueAsString(Arrays.asList(loads)) + "\n");
    commands.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw daemon.failure("has ended");
    }
    if (answer.startsWith("\"")) {
      throw daemon.failure("says " + answer);
    }
    return JSON.readValue(answer, new TypeReference<>() { });
  }

  @Override
  public void close() {
    daemon.close();
  }
}
