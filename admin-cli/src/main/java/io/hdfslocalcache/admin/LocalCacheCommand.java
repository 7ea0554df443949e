/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

import io.hdfslocalcache.admin.DataNodeVerbs.Pin;
import io.hdfslocalcache.admin.DataNodeVerbs.Rules;
import io.hdfslocalcache.admin.DataNodeVerbs.SetValue;
import io.hdfslocalcache.admin.DataNodeVerbs.Ssd;
import io.hdfslocalcache.admin.DataNodeVerbs.SwitchTo;
import io.hdfslocalcache.admin.DataNodeVerbs.TraceReads;
import io.hdfslocalcache.plugin.metrics.ErrorText;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs one verb of {@code hdfs localcache}.
 *
 * <p>Results and help go to standard output, errors and progress to standard error. The exit code
 * is 0 when all was done, 1 when a DataNode or the NameNode failed, refused or could not be
 * reached, and -1 when the command line is wrong and nothing was tried.
 */
@Command(name = "hdfs localcache", customSynopsis = "hdfs localcache VERB",
    description = "Shows and changes the local caches of a running cluster.",
    commandListHeading = "%nVerbs:%n",
    footer = "%nSee hdfs localcache help VERB. Hadoop's generic options, such as -D and "
        + "-conf, come before VERB.")
public final class LocalCacheCommand extends Configured implements Tool {
  private final PrintStream out;
  private final PrintStream err;
  private final DataNodeClient.Timeouts timeouts;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Shows this help.")
  private boolean help;

  /** Prints to the streams of the process. */
  public LocalCacheCommand() {
    this(System.out, System.err, DataNodeClient.Timeouts.DEFAULT);
  }

  LocalCacheCommand(PrintStream out, PrintStream err, DataNodeClient.Timeouts timeouts) {
    this.out = out;
    this.err = err;
    this.timeouts = timeouts;
  }

  /**
   * Runs one verb.
   *
   * @param args the verb and its arguments
   * @return the exit code: 0, 1, 3 if something is not normal, or -1
   */
  @Override
  public int run(String[] args) {
    CommandLine line = commandLine();
    try {
      ParseResult parsed = line.parseArgs(args);
      Integer helped = CommandLine.executeHelpRequest(parsed);
      if (helped != null) {
        return helped;
      }
      if (parsed.hasSubcommand()) {
        return run(parsed.subcommand());
      }
      line.usage(err);
    } catch (ParameterException e) {
      printWrongUse(e);
    }
    return Session.WRONG_USAGE;
  }

  /** @return the verbs, ready to parse arguments. */
  CommandLine commandLine() {
    Session session = Session.of(getConf(), out, err, timeouts);
    return new CommandLine(this).addSubcommand(new Status(session))
        .addSubcommand("on", new SwitchTo(session)).addSubcommand("off", new SwitchTo(session))
        .addSubcommand(new Explain(session)).addSubcommand(new Top(session))
        .addSubcommand(new Clear(session)).addSubcommand(new Warm(session))
        .addSubcommand(new TraceReads(session)).addSubcommand(new Rules(session))
        .addSubcommand(new SetValue(session)).addSubcommand(new Pin(session))
        .addSubcommand(new Pin.Unpin(session)).addSubcommand(new Ssd(session))
        .addSubcommand(new Diagnose(session))
        .addSubcommand(new CheckConfig(session)).addSubcommand(new Help(session))
        .registerConverter(int.class, LocalCacheCommand::number)
        .registerConverter(Duration.class, LocalCacheCommand::time)
        .setOut(new PrintWriter(out, true))
        .setExpandAtFiles(false)
        // Block ids may begin with a hyphen.
        .setUnmatchedOptionsArePositionalParams(true);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("expected a number, got: " + text);
    }
  }

  /** From 1s to a day. A number without a unit would be milliseconds in the configuration. */
  private static Duration time(String text) {
    if (text.matches("[0-9]{1,5}[smh]")) {
      Duration time = Duration.parse("PT" + text);
      if (!time.isZero() && time.compareTo(Duration.ofDays(1)) <= 0) {
        return time;
      }
    }
    throw new TypeConversionException(
        "expected a time of at most a day, such as 90s or 5m, got: " + text);
  }

  private int run(ParseResult parsed) {
    Verb verb = (Verb) parsed.commandSpec().userObject();
    parsed.matchedPositionals().stream().flatMap(args -> args.originalStringValues().stream())
        .filter(arg -> arg.startsWith("--")).findFirst().ifPresent(arg -> {
          throw verb.wrong("unknown option: " + arg);
        });
    try {
      return verb.run();
    } catch (TypeConversionException e) {
      throw verb.wrong(e.getMessage());
    } catch (IOException e) {
      err.println(ErrorText.of(e));
      return Session.FAILED;
    }
  }

  private void printWrongUse(ParameterException wrong) {
    CommandLine line = wrong.getCommandLine();
    String name = line.getCommandSpec().qualifiedName();
    err.println(name.substring(name.lastIndexOf(' ') + 1) + ": " + inWords(wrong));
    err.println("Usage: " + Text.oneLine(line.getHelp().synopsis(0)) + "; see "
        + name + " --help");
  }

  private static String inWords(ParameterException wrong) {
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      return wrong.getCommandLine().getParent() == null
          ? "unknown verb: " + unmatched.getUnmatched().get(0)
          : "too many arguments: " + String.join(" ", unmatched.getUnmatched());
    }
    if (wrong instanceof OverwrittenOptionException twice) {
      return ((OptionSpec) twice.getOverwritten()).longestName() + " is given twice";
    }
    if (wrong instanceof MissingParameterException missing) {
      ArgSpec first = missing.getMissing().get(0);
      return first instanceof OptionSpec option ? option.longestName() + " needs a value"
          : "expected " + first.paramLabel();
    }
    return wrong.getMessage();
  }

  /**
   * Runs one verb and exits with its exit code.
   *
   * @param args Hadoop's generic options, then the verb and its arguments
   * @throws Exception when the command cannot run at all
   */
  public static void main(String[] args) throws Exception {
    if (List.of(args).contains("check-config")) {
      // Before Hadoop's first class loads: Hadoop would log stack traces of errors printed here.
      System.setProperty("log4j.configuration",
          String.valueOf(LocalCacheCommand.class.getResource("no-log.properties")));
    }
    Configuration conf = new HdfsConfiguration();
    try {
      CheckConfig.load(conf);
    } catch (IOException e) {
      System.err.println(e.getMessage());
      System.exit(Session.FAILED);
    }
    System.exit(ToolRunner.run(conf, new LocalCacheCommand(), args));
  }

  /** The same as {@code --help}. */
  @Command(name = "help", description = "Shows what a verb does, and what its arguments mean.")
  static final class Help extends Verb {

    @Parameters(arity = "0..1", paramLabel = "VERB", description = "One verb (default: all of them).")
    private String verb;

    Help(Session session) {
      super(session);
    }

    @Override
    int run() {
      CommandLine all = spec.parent().commandLine();
      CommandLine asked = verb == null ? all : all.getSubcommands().get(verb);
      if (asked == null) {
        throw wrong("unknown verb: " + verb);
      }
      asked.usage(session.out());
      return Session.DONE;
    }
  }
}
