/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.replay.stat.TraceStat;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Csv;
import io.hdfslocalcache.replay.trace.Inputs;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.WholeFile;
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
    subcommands = {TraceCommand.Convert.class, TraceCommand.Stat.class,
        CommandLine.HelpCommand.class})
final class TraceCommand implements Callable<Integer> {

  @Spec
  private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "trace: no command");
  }

  /** Traces in, one out. */
  @Command(name = "convert", description = "Makes one trace in CSV of one or several, ordered by "
      + "time.")
  static final class Convert implements Callable<Integer> {

    @Mixin
    private Inputs inputs;

    @Parameters(paramLabel = "TRACE... OUT", arity = "2..*", hideParamSyntax = true,
        description = "The traces, and the CSV file; compressed if it ends in .gz.")
    private List<Path> files;

    @Override
    public Integer call() throws IOException {
      Path out = files.get(files.size() - 1);
      Trace trace = inputs.load(files.subList(0, files.size() - 1));
      WholeFile.write(out, to -> Csv.write(trace, to));
      System.out.println(Text.count(trace.size(), "access", "accesses") + " in " + out);
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
}
