/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * A command of {@code hdfs}, run in this process.
 *
 * @param shown what an operator types before the arguments
 * @param program makes what runs it
 */
public record AdminCommand(String shown, Supplier<Tool> program) {

  /**
   * Runs it, and shows it and what it prints.
   *
   * @param conf names the cluster
   * @param out told line by line
   * @return its exit code
   * @throws IOException if it cannot be run
   */
  public int run(Configuration conf, Consumer<String> out, String... args) throws IOException {
    out.accept("$ " + shown + " " + String.join(" ", args));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    int exitCode =
        runPrintingTo(new PrintStream(printed, true, StandardCharsets.UTF_8), conf, args);
    printed.toString(StandardCharsets.UTF_8).lines().forEach(out);
    return exitCode;
  }

  /** It prints to the streams of the process, and nowhere else. */
  private int runPrintingTo(PrintStream stream, Configuration conf, String... args)
      throws IOException {
    PrintStream out = System.out;
    PrintStream err = System.err;
    System.setOut(stream);
    System.setErr(stream);
    try {
      return ToolRunner.run(new Configuration(conf), program.get(), args);
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
