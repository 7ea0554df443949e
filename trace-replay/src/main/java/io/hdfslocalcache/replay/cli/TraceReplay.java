/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.concurrent.Callable;

import io.hdfslocalcache.replay.benchmark.Replay;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The program behind {@code bin/trace-replay}. Exit code 0 if all went well, 1 if something failed,
 * 2 if the command line makes no sense. What went wrong is told in one line.
 */
@Command(name = "trace-replay", description = "Traces of a DataNode's reads: look at them, make "
    + "them up, find out by them what a local cache would do; and a benchmark of clusters.",
    subcommands = {TraceCommand.class, GenerateCommand.class, SimulateCommand.class,
        RecommendCommand.class, Replay.class,
        CommandLine.HelpCommand.class})
public final class TraceReplay implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(TraceReplay.class);
  /** The file that the log goes to, as the launcher tells log4j, too; none by {@code yarn jar}. */
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

  /** Every command has {@code --help}, those of other commands among them. */
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
    return tell(oneLine(e.getMessage()) + "; see trace-replay --help", WRONG_USAGE);
  }

  private static int failed(Exception e, CommandLine line, CommandLine.ParseResult result)
      throws Exception {
    if (e instanceof FileSystemException file) {
      return tell(file.getFile() + ": " + reason(file), FAILED);
    }
    if (e instanceof IOException || e instanceof IllegalArgumentException) {
      // The second: options that do not make sense together, or a limiter's key.
      return tell(oneLine(e.getMessage() == null ? e.toString() : e.getMessage()),
          e instanceof IOException ? FAILED : WRONG_USAGE);
    }
    throw e;
  }

  private static String reason(FileSystemException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    return e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
  }

  private static int tell(String message, int exitCode) {
    System.err.println("trace-replay: " + message);
    return exitCode;
  }

  private static String oneLine(String message) {
    return message.replaceAll("\\s*\\R\\s*", " ");
  }
}
