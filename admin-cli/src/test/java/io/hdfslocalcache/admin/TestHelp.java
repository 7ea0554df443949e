/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.junit.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** The help, and that the document of the verbs says the same. */
public class TestHelp {
  private static final List<String> VERBS = List.of("status", "on", "off", "explain", "top",
      "clear", "warm", "trace", "rules", "set", "pin", "unpin", "ssd", "diagnose",
      "check-config", "help");

  @Test
  public void help_ofAllVerbs_hasALineForEach() throws Exception {
    CommandResult help = run("--help");
    assertEquals(0, help.exitCode());
    assertEquals(List.of(), help.err());
    assertEquals("Usage: hdfs localcache VERB", help.out().get(0));
    assertEquals(VERBS, help.out().stream().filter(line -> line.matches("  [a-z-]+ +[A-Z].*"))
        .map(line -> line.strip().split(" ")[0]).toList());
    for (String[] args : new String[][] {{"-h"}, {"help"}, {"--help", "status"}}) {
      assertEquals(help, run(args));
    }
    assertEquals("without arguments, on the error stream",
        new CommandResult(-1, List.of(), help.out()), run());
  }

  @Test
  public void help_ofAVerb_saysWhatItDoesAndWhatEachArgumentMeans() throws Exception {
    for (Map.Entry<String, CommandLine> verb : verbs().entrySet()) {
      CommandResult help = run(verb.getKey(), "--help");
      assertEquals(0, help.exitCode());
      assertEquals(List.of(), help.err());
      assertTrue(help.toString(),
          help.out().get(0).startsWith("Usage: hdfs localcache " + verb.getKey() + " [-h]"));
      String text = flat(String.join(" ", help.out()));
      assertTrue(text, text.contains(description(verb.getValue())));
      assertFalse(text, text.contains("${"));
      for (ArgSpec argument : verb.getValue().getCommandSpec().args()) {
        assertTrue(text, text.contains(argument.paramLabel()) || argument.isOption());
        assertTrue(argument.toString(), argument.description().length > 0);
      }
      assertEquals(help, run("help", verb.getKey()));
      assertEquals(help, run(verb.getKey(), "-h", "argument"));
    }
  }

  /** Such as a description that is not a valid format. */
  @Test
  public void help_ofAVerb_picocliHasNothingToWarnOf() throws Exception {
    PrintStream terminal = System.err;
    ByteArrayOutputStream warned = new ByteArrayOutputStream();
    System.setErr(new PrintStream(warned, true));
    try {
      for (String verb : verbs().keySet()) {
        run(verb, "--help");
      }
    } finally {
      System.setErr(terminal);
    }
    assertEquals("", warned.toString());
  }

  @Test
  public void document_hasEachVerbWithWhatItDoes() throws Exception {
    String document = Files.readString(Path.of("../docs/commands.md"));
    for (Map.Entry<String, CommandLine> verb : verbs().entrySet()) {
      // The other sentences, and the arguments, are only in the help.
      String first = description(verb.getValue()).replaceFirst("(?<=\\.) .*", "");
      String row = "\n| `" + verb.getKey() + "` | " + first + " |\n";
      assertTrue(row, document.contains(row));
    }
  }

  @Test
  public void genericOptions_beforeTheVerb_areHadoops() throws Exception {
    CommandResult.of((out, err) -> ToolRunner.run(new Configuration(),
        new LocalCacheCommand(out, err, CommandResult.PATIENT),
        new String[] {"-D", "fs.defaultFS=file:///elsewhere", "status"}))
        .assertFailed("livenodes: the NameNode does not list them: file:///elsewhere is not HDFS");
  }

  @Test
  public void help_throughHadoopsToolRunner_isTheSame() throws Exception {
    for (String[] args : new String[][] {{"--help"}, {"help"}, {"status", "--help"}}) {
      assertEquals(run(args), CommandResult.of((out, err) -> ToolRunner.run(new Configuration(),
          new LocalCacheCommand(out, err, CommandResult.PATIENT), args)));
    }
  }

  @Test
  public void run_blockIdWithAHyphen_isNoOption() throws Exception {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "file:///");
    String id = "-9223372036854775792";
    for (String[] args : new String[][] {{"explain", id}, {"clear", "--block", id}}) {
      CommandResult.ofVerb(conf, args).assertFailed(id + ": file:/// is not HDFS");
    }
  }

  private static Map<String, CommandLine> verbs() throws Exception {
    LocalCacheCommand command = new LocalCacheCommand();
    command.setConf(new Configuration());
    Map<String, CommandLine> verbs = command.commandLine().getSubcommands();
    assertEquals(VERBS, List.copyOf(verbs.keySet()));
    return verbs;
  }

  private static String description(CommandLine verb) {
    return flat(verb.getHelp().description());
  }

  private static String flat(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  private static CommandResult run(String... args) throws Exception {
    return CommandResult.ofVerb(new Configuration(), args);
  }
}
