/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM with Hadoop's classes, for programs in separate processes.
 *
 * @param java its program
 * @param options its options, including the heap
 * @param classPath without the configuration
 */
public record HadoopJvm(String java, List<String> options, String classPath) {

  /** @return the program {@code java} of this process. */
  public static String program() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** @return a JVM with this process's class path and opened modules. */
  public static HadoopJvm likeThis(String... options) {
    return new HadoopJvm(program(), ManagementFactory.getRuntimeMXBean().getInputArguments()
        .stream().filter(option -> option.startsWith("--add-opens")).toList(),
        System.getProperty("java.class.path")).with(options);
  }

  /** @return the same with more options. */
  public HadoopJvm with(String... more) {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of(more));
    return new HadoopJvm(java, all, classPath);
  }

  /**
   * A command line.
   *
   * @param conf directory of Hadoop's configuration
   * @param main the class
   */
  public List<String> command(Path conf, String main, String... arguments) {
    List<String> command = new ArrayList<>(List.of(java, "-Djava.net.preferIPv4Stack=true"));
    command.addAll(options);
    command.addAll(List.of("-cp", conf + File.pathSeparator + classPath, main));
    command.addAll(List.of(arguments));
    return command;
  }
}
