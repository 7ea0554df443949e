/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of Java programs, Hadoop's daemons among them. */
public final class JavaCommand {

  /** Main class of a NameNode. */
  public static final String NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
  /** Main class of a DataNode. */
  public static final String DATA_NODE = "org.apache.hadoop.hdfs.server.datanode.DataNode";

  private JavaCommand() {
  }

  /** @return the program {@code java} of this process. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /**
   * A command line, to which arguments can be added.
   *
   * @param options for the JVM, its heap among them
   */
  public static List<String> of(List<String> options, String classPath, String main) {
    return of(java(), options, classPath, main);
  }

  /**
   * The same with another JVM.
   *
   * @param java its program
   */
  public static List<String> of(
      String java, List<String> options, String classPath, String main) {
    List<String> command = new ArrayList<>(List.of(java, "-Djava.net.preferIPv4Stack=true"));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    return command;
  }

  /**
   * The same with what this process has on its class path and opens to it.
   *
   * @param conf comes first on the class path
   */
  public static List<String> likeThis(List<String> options, Path conf, String main) {
    List<String> all = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments()
        .stream().filter(option -> option.startsWith("--add-opens")).toList());
    all.addAll(options);
    return of(all, conf + ":" + System.getProperty("java.class.path"), main);
  }

  /**
   * A shell that enters groups of processes, and becomes the command.
   *
   * @param groups files to which a process writes its id to enter
   */
  public static List<String> in(List<Path> groups, List<String> command) {
    StringBuilder enter = new StringBuilder();
    groups.forEach(group -> enter.append("echo $$ > '").append(group).append("' && "));
    List<String> wrapped = new ArrayList<>(List.of("sh", "-c", enter + "exec \"$0\" \"$@\""));
    wrapped.addAll(command);
    return wrapped;
  }
}
