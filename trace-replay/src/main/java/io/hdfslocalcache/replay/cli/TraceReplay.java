/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import io.hdfslocalcache.replay.benchmark.Replay;
import io.hdfslocalcache.replay.generate.Generator;
import io.hdfslocalcache.replay.generate.Plan;
import io.hdfslocalcache.replay.generate.Plan.Host;
import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.generate.Plan.SizeMix;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.text.Text.Checks;
import io.hdfslocalcache.replay.trace.Csv;
import io.hdfslocalcache.replay.trace.Inputs;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.TraceStat;
import io.hdfslocalcache.replay.trace.WholeFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The program behind {@code bin/trace-replay}. Exit code 0 if all succeeded, 1 if something failed,
 * 2 if the command line is wrong. An error is one line.
 */
@Command(name = "trace-replay", description = "Analyzes, generates and simulates traces of a "
    + "DataNode's reads, and benchmarks clusters.",
    subcommands = {TraceReplay.TraceFiles.class, TraceReplay.Generate.class, SimulateCommand.class,
        RecommendCommand.class, Replay.class,
        CommandLine.HelpCommand.class})
public final class TraceReplay implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(TraceReplay.class);
  /** The log file, which the launcher also passes to log4j; none with {@code yarn jar}. */
  static final String LOG_FILE = System.getProperty("demo.log");
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;
  private static final String HELP = "--help";

  /** Runs a command, and ends the process with its exit code. */
  public static void main(String[] args) {
    int exitCode = FAILED;
    try {
      exitCode = run(args);
    } catch (Throwable e) {
      // Threads of an embedded cluster would keep the process alive.
      LOG.error("Failed", e);
      tell(oneLine(e.toString()) + (LOG_FILE == null ? "" : "; log: " + LOG_FILE), FAILED);
    }
    System.exit(exitCode);
  }

  /** Runs a command. @return the exit code. */
  static int run(String... args) {
    return withHelp(new CommandLine(new TraceReplay()))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(TraceReplay::wrongUsage)
        .setExecutionExceptionHandler(TraceReplay::failed)
        .execute(args);
  }

  /** Adds {@code --help} to every command and subcommand. */
  private static CommandLine withHelp(CommandLine line) {
    if (line.getCommandSpec().findOption(HELP) == null) {
      line.getCommandSpec().addOption(OptionSpec.builder("-h", HELP).usageHelp(true)
          .description("Shows this help.").build());
    }
    line.getSubcommands().values().forEach(TraceReplay::withHelp);
    return line;
  }

  @Override
  public Integer call() {
    throw new ParameterException(new CommandLine(this), "no command");
  }

  private static int wrongUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String message = e instanceof UnmatchedArgumentException other && !other.isUnknownOption()
        ? (command.getSubcommands().isEmpty() ? "too many arguments: " : "unknown command: ")
            + other.getUnmatched().get(0)
        : oneLine(e.getMessage());
    return tell(message + "; see " + command.getCommandSpec().qualifiedName() + " --help",
        WRONG_USAGE);
  }

  private static int failed(Exception e, CommandLine line, CommandLine.ParseResult result)
      throws Exception {
    if (e instanceof IOException || e instanceof IllegalArgumentException) {
      // The second: options that conflict, or a limiter's key.
      return tell(oneLine(ErrorText.of(e)), e instanceof IOException ? FAILED : WRONG_USAGE);
    }
    throw e;
  }

  private static int tell(String message, int exitCode) {
    System.err.println("trace-replay: " + message);
    return exitCode;
  }

  private static String oneLine(String message) {
    return message.replaceAll("\\s*\\R\\s*", " ");
  }

  /** Generates a trace with the numbers of one of Uber's hosts. */
  @Command(name = "generate", description = "Makes up a trace with the numbers of one of the hosts "
      + "in Uber's table: reads, writes, blocks, their size, and the share of an hour's reads on the "
      + "top 10,000 blocks.")
  static final class Generate implements Callable<Integer> {

    @Option(names = "--host", paramLabel = "N", defaultValue = "1",
        description = "Number of the host, 1 to 5 (default: ${DEFAULT-VALUE}).")
    private int host;

    @Option(names = "--kind", paramLabel = "KIND", defaultValue = "churn",
        description = "${COMPLETION-CANDIDATES}: independent reads of blocks whose popularity never "
            + "changes, or sessions of readers on a hot set that drifts (default: ${DEFAULT-VALUE}).")
    private Kind kind;

    @Option(names = "--sizes", paramLabel = "SIZES", defaultValue = "small",
        description = "${COMPLETION-CANDIDATES}: over half of the reads below 10 KB and over 90 %% "
            + "below 1 MB, as Uber publishes, or about 2 MB (default: ${DEFAULT-VALUE}).")
    private SizeMix sizes;

    @Option(names = "--scale", paramLabel = "SHARE", defaultValue = "1",
        description = "Share of the reads and blocks, such as 0.01 (default: all).")
    private double scale;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "The same seed gives the same trace (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = {"-o", "--out"}, paramLabel = "OUT", required = true,
        description = "The CSV file; compressed if it ends in .gz.")
    private Path out;

    @Override
    public Integer call() throws IOException {
      Plan plan = plan();
      Trace trace = Generator.generate(plan);
      WholeFile.write(out, file -> Csv.write(trace, file));
      System.out.println(Text.count(trace.size(), "access", "accesses") + " in " + out
          + "; check it with: trace stat --top " + plan.host().top());
      return 0;
    }

    private Plan plan() {
      Checks.require(host >= 1 && host <= Host.UBER.size(),
          "--host: must be from 1 to " + Host.UBER.size());
      Checks.require(scale > 0 && scale <= 10, "--scale: must be more than 0, at most 10");
      return new Plan(Host.UBER.get(host - 1).scaled(scale), kind, sizes, seed);
    }
  }

  /** Analyzes and converts traces. */
  @Command(name = "trace", description = "Analyzes and converts traces. A trace is written by "
      + "hdfs localcache trace, or is a DataNode's log with lines of DataNode.clienttrace, or CSV; "
      + "plain or compressed by gzip.",
      subcommands = {TraceReplay.TraceFiles.Convert.class, TraceReplay.TraceFiles.Stat.class,
          CommandLine.HelpCommand.class})
  static final class TraceFiles implements Callable<Integer> {

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
      throw new ParameterException(spec.commandLine(), "trace: no command");
    }

    /** Converts traces to one. */
    @Command(name = "convert", description = "Merges traces into one CSV file, ordered by "
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

    /** Shows the figures of a trace. */
    @Command(name = "stat", description = "Shows the figures of a trace.")
    static final class Stat implements Callable<Integer> {
      @Mixin
      private Inputs inputs;
      @Option(names = "--top", paramLabel = "N", defaultValue = "10000",
          description = "Number of top blocks of an hour (default: ${DEFAULT-VALUE}).")
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
}
