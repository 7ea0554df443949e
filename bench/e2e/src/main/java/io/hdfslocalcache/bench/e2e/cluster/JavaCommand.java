/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Command lines of Java processes.
 *
 * @param build class paths and what Hadoop needs
 * @param base where temporary files go
 */
record JavaCommand(Build build, Path base) {

  /** For what is needed but not measured: small, and soon done with compiling. */
  static final List<String> MODEST =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /**
   * A command line.
   *
   * @param options for the JVM, its heap among them
   * @param conf directory of Hadoop's configuration
   */
  List<String> of(List<String> options, Path conf, String classPath, String main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(build.jvmOptions());
    command.addAll(List.of("-Djava.net.preferIPv4Stack=true",
        "-Djava.io.tmpdir=" + base.resolve("tmp")));
    command.addAll(options);
    command.addAll(List.of("-cp", conf + ":" + classPath, main));
    return command;
  }
}
