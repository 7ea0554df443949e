/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.JavaCommand;
import io.hdfslocalcache.harness.SiteFile;

/**
 * Command lines of Hadoop's daemons and clients, and their configuration.
 *
 * @param build class paths and what Hadoop needs
 * @param base where temporary files go
 */
record HadoopCommand(Build build, Path base) {

  /** For what is needed but not measured: small, and soon done with compiling. */
  static final List<String> MODEST =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
  /** By default /jmx shows the same figures for 10 seconds. */
  private static final String METRICS = "*.periodMillis=200\n";

  /**
   * A command line.
   *
   * @param options for the JVM, its heap among them
   * @param conf directory of Hadoop's configuration
   */
  List<String> of(List<String> options, Path conf, String classPath, String main) {
    List<String> all = new ArrayList<>(build.jvmOptions());
    all.add("-Djava.io.tmpdir=" + base.resolve("tmp"));
    all.addAll(options);
    return JavaCommand.of(all, conf + ":" + classPath, main);
  }

  /** Writes the configuration directory. */
  static void configure(Path conf, Map<String, String> settings) throws IOException {
    SiteFile.writeAll(conf, settings.entrySet());
    SiteFile.logToConsole(conf);
    Files.writeString(conf.resolve("hadoop-metrics2.properties"), METRICS);
  }
}
