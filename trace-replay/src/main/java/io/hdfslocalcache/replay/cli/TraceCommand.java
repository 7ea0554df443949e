/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.replay.stat.TraceStat;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Csv;
import io.hdfslocalcache.replay.trace.Inputs;
import io.hdfslocalcache.replay.trace.ReaderSplit;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.TraceException;
import io.hdfslocalcache.replay.trace.WholeFile;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Looks at traces and turns them into others. */
@Command(name = "trace", description = "Looks at traces and turns them into others. A trace is "
    + "what hdfs localcache trace wrote, a DataNode's log with lines of DataNode.clienttrace, or "
    + "CSV; plain or compressed by gzip.",
    subcommands = {TraceCommand.Convert.class, TraceCommand.Stat.class, TraceCommand.Head.class,
        TraceCommand.Merge.class, TraceCommand.Split.class, CommandLine.HelpCommand.class})
final class TraceCommand implements Callable<Integer> {

  @Spec
  private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "trace: no command");
  }

  /** Writes all of a trace to a file. */
  private static void write(Trace trace, Path file, Inputs inputs) throws IOException {
    try (ProgressBar bar = inputs.bar("Writing", trace.size())) {
      WholeFile.write(file, out ->
          Csv.write(trace, trace.accesses().stream(), out, bar::stepBy));
    }
    System.out.println(Text.count(trace.size(), "access", "accesses") + " in " + file);
  }

  /** One trace in, one out. */
  @Command(name = "convert", description = "Converts a trace to CSV, ordered by time.")
  static final class Convert implements Callable<Integer> {
    @Mixin
    private Inputs inputs;
    @Parameters(paramLabel = "TRACE", description = "The trace.")
    private Path file;
    @Parameters(paramLabel = "OUT", description = "The CSV file; compressed if it ends in .gz.")
    private Path out;

    @Override
    public Integer call() throws IOException {
      write(inputs.load(List.of(file)), out, inputs);
      return 0;
    }
  }

  /** Several traces in, one out. */
  @Command(name = "merge", description = "Makes one trace in CSV of several, ordered by time.")
  static final class Merge implements Callable<Integer> {
    @Mixin
    private Inputs inputs;
    @Parameters(paramLabel = "TRACE", arity = "1..*", description = "The traces.")
    private List<Path> files;
    @Option(names = {"-o", "--out"}, paramLabel = "OUT", required = true,
        description = "The CSV file; compressed if it ends in .gz.")
    private Path out;

    @Override
    public Integer call() throws IOException {
      write(inputs.load(files), out, inputs);
      return 0;
    }
  }

  /** The first lines. */
  @Command(name = "head", description = "Prints the first accesses of a trace as CSV.")
  static final class Head implements Callable<Integer> {
    @Mixin
    private Inputs inputs;
    @Option(names = {"-n", "--lines"}, paramLabel = "N", defaultValue = "10",
        description = "How many (default: ${DEFAULT-VALUE}).")
    private int lines;
    @Parameters(paramLabel = "TRACE", arity = "1..*", description = "The trace.")
    private List<Path> files;

    @Override
    public Integer call() throws IOException {
      Trace trace = inputs.load(files);
      Csv.write(trace, trace.accesses().stream().limit(Math.max(0, lines)), System.out,
          n -> { });
      System.out.flush();
      return 0;
    }
  }

  /** The numbers. */
  @Command(name = "stat", description = "Tells what a trace is like.")
  static final class Stat implements Callable<Integer> {
    @Mixin
    private Inputs inputs;
    @Option(names = "--top", paramLabel = "N", defaultValue = "10000",
        description = "How many blocks are the top ones of an hour (default: ${DEFAULT-VALUE}).")
    private int top;
    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;
    @Parameters(paramLabel = "TRACE", arity = "1..*", description = "The trace.")
    private List<Path> files;

    @Override
    public Integer call() throws IOException {
      TraceStat stat = TraceStat.of(inputs.load(files), top);
      System.out.print(json ? Report.json(stat) : stat.text());
      return 0;
    }
  }

  /** One trace for each reader. */
  @Command(name = "split", description = "Writes the accesses of each of the top readers to a CSV "
      + "file of its own, and those of all others to one more.")
  static final class Split implements Callable<Integer> {
    @Mixin
    private Inputs inputs;
    @Option(names = "--readers", paramLabel = "N", defaultValue = "20",
        description = "How many readers get a file (default: ${DEFAULT-VALUE}).")
    private int readers;
    @Option(names = {"-o", "--out"}, paramLabel = "DIR", required = true,
        description = "A directory that does not exist yet.")
    private Path out;
    @Parameters(paramLabel = "TRACE", arity = "1..*", description = "The trace.")
    private List<Path> files;

    @Override
    public Integer call() throws IOException {
      if (Files.exists(out)) {
        throw new TraceException(out + ": exists already");
      }
      Trace trace = inputs.load(files);
      try (ProgressBar bar = inputs.bar("Writing", trace.size())) {
        ReaderSplit.write(trace, readers, out, bar::stepBy)
            .forEach((file, n) -> System.out.println(Text.count(n) + "  " + file));
      }
      return 0;
    }
  }
}
