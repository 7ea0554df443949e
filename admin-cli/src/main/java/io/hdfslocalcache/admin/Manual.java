/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

import org.apache.hadoop.conf.Configuration;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The step of the build that writes the completion for shells and the man pages. A man page says
 * what the help says. This class is not in the jar.
 */
final class Manual {
  /** {@code man} indents by 7 columns, and a terminal has 80. */
  private static final int WIDTH = 72;

  private Manual() {
  }

  /**
   * Writes {@code completion/hdfs} and {@code man/man1/*.1}.
   *
   * @param args the directory to write to, and the version of the local cache
   * @throws IOException if a file cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path completion = Files.createDirectories(Path.of(args[0], "completion"));
    Files.writeString(completion.resolve("hdfs"), completion());

    Path pages = Files.createDirectories(Path.of(args[0], "man/man1"));
    CommandLine localCache = localCache();
    Files.writeString(pages.resolve(name(localCache) + ".1"), page(localCache, args[1]));
    for (CommandLine verb : localCache.getSubcommands().values()) {
      Files.writeString(pages.resolve(name(verb) + ".1"), page(verb, args[1]));
    }
  }

  private static CommandLine localCache() throws IOException {
    LocalCacheCommand command = new LocalCacheCommand();
    command.setConf(new Configuration());
    return command.commandLine().setUsageHelpWidth(WIDTH)
        .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
  }

  /** The shell completes the words of {@code hdfs}, of which {@code localcache} is one. */
  private static String completion() throws IOException {
    CommandLine localCache = localCache();
    localCache.getCommandSpec().name("localcache");
    CommandLine hdfs = new CommandLine(CommandSpec.create().name("hdfs"));
    hdfs.addSubcommand("localcache", localCache);
    return AutoComplete.bash("hdfs", hdfs);
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName().replace(' ', '-');
  }

  private static String page(CommandLine command, String version) {
    CommandLine.Help help = command.getHelp();
    String name = name(command);
    String description = String.join(" ", command.getCommandSpec().usageMessage().description());
    return ".TH \"" + name.toUpperCase(Locale.ROOT) + "\" 1 \"\" \"" + version
        + "\" \"HDFS DataNode Local Cache\"\n"
        + ".SH NAME\n" + name + " \\- " + escaped(description) + "\n"
        + section("SYNOPSIS", help.synopsis(0))
        + section("ARGUMENTS", help.parameterList())
        + section("OPTIONS", help.optionList())
        + section("VERBS", help.commandList())
        + section("NOTES", help.footer().strip());
  }

  private static String section(String title, String lines) {
    return lines.isBlank() ? ""
        : ".SH " + title + "\n.nf\n" + escaped(lines.stripTrailing()) + "\n.fi\n";
  }

  /** @return text in which {@code man} finds no commands. */
  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
  }
}
