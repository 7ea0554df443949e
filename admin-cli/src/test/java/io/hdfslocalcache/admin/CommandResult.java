/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;

/** What a command printed, line by line, and its exit code. */
record CommandResult(int exitCode, List<String> out, List<String> err) {
  static final DataNodeClient.Timeouts PATIENT =
      new DataNodeClient.Timeouts(Duration.ofSeconds(20), Duration.ofSeconds(20));

  /** A command with its output and error streams. */
  @FunctionalInterface
  interface Command {
    int run(PrintStream out, PrintStream err) throws Exception;
  }

  static CommandResult of(Command command) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        command.run(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    return new CommandResult(exitCode, out.toString(UTF_8).lines().toList(),
        err.toString(UTF_8).lines().toList());
  }

  /** Runs the admin-cli itself, patient enough for a slow test machine. */
  static CommandResult of(Configuration conf, String... args) throws Exception {
    return of(conf, PATIENT, args);
  }

  static CommandResult of(Configuration conf, DataNodeClient.Timeouts timeouts, String... args)
      throws Exception {
    return of((out, err) -> {
      Tool admin = new LocalCacheAdmin(out, err, timeouts);
      admin.setConf(conf);
      return admin.run(args);
    });
  }

  /** Runs {@code hdfs localcache}. */
  static CommandResult ofVerb(Configuration conf, String... args) throws Exception {
    return ofVerb(conf, PATIENT, args);
  }

  static CommandResult ofVerb(Configuration conf, DataNodeClient.Timeouts timeouts, String... args)
      throws Exception {
    return of((out, err) -> {
      Tool command = new LocalCacheCommand(out, err, timeouts);
      command.setConf(conf);
      return command.run(args);
    });
  }

  /** @return the document that it printed. */
  JsonNode json() throws IOException {
    return new ObjectMapper().readTree(String.join("\n", out));
  }

  /** @return the error output without the progress, which a busy machine has time to show. */
  List<String> failures() {
    return err.stream().filter(
        line -> !line.matches("[0-9]+ of [0-9]+ \\w+ done.*|listed [0-9]+ \\w+ so far")).toList();
  }

  void assertDone(String... lines) {
    assertEquals(new CommandResult(0, List.of(lines), List.of()),
        new CommandResult(exitCode, out, failures()));
  }

  void assertFailed(String... lines) {
    assertEquals(new CommandResult(1, List.of(), List.of(lines)),
        new CommandResult(exitCode, out, failures()));
  }
}
