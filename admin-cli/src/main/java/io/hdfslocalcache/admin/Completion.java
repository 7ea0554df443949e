/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.apache.hadoop.conf.Configuration;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The step of the build that writes the completion for shells. This class is not in the jar. */
final class Completion {

  private Completion() {
  }

  /**
   * Writes the completion of {@code hdfs localcache}.
   *
   * @param args the file to write
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    LocalCacheCommand command = new LocalCacheCommand();
    command.setConf(new Configuration());
    CommandLine localCache = command.commandLine();
    localCache.getCommandSpec().name("localcache");
    CommandLine hdfs = new CommandLine(CommandSpec.create().name("hdfs"));
    hdfs.addSubcommand("localcache", localCache);
    Path file = Path.of(args[0]);
    Files.createDirectories(file.getParent());
    Files.writeString(file, AutoComplete.bash("hdfs", hdfs));
  }
}
