/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;

/** Runs the patched {@code hdfs dfsadmin}, and shows the command and what it prints. */
final class DfsAdmin {

  private final Configuration conf;
  private final Progress progress;

  /** Sends commands to the cluster of this configuration. */
  DfsAdmin(Configuration conf, Progress progress) {
    this.conf = conf;
    this.progress = progress;
  }

  /**
   * Runs a command.
   *
   * @throws DemoException if its exit code is not 0
   */
  void run(String... args) throws IOException {
    String command = "hdfs dfsadmin " + String.join(" ", args);
    progress.say("$ " + command);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    int exitCode = runPrintingTo(new PrintStream(printed, true, StandardCharsets.UTF_8), args);
    List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
    lines.forEach(progress::say);
    if (exitCode != 0) {
      throw new DemoException(command + ": exit code " + exitCode);
    }
  }

  /** It prints to the streams of the process, and nowhere else. */
  private int runPrintingTo(PrintStream stream, String... args) throws IOException {
    PrintStream out = System.out;
    PrintStream err = System.err;
    System.setOut(stream);
    System.setErr(stream);
    try {
      return ToolRunner.run(new Configuration(conf), new DFSAdmin(), args);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
