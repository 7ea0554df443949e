/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.JavaCommand;
import io.hdfslocalcache.harness.SiteFile;

/**
 * What Maven has built and found: class paths and options for the processes. Handed over in system
 * properties.
 *
 * @param home the benchmark's own directory
 * @param stock class path of the released daemons
 * @param patched class path of the patched DataNode: the same, but for one jar, and the local cache
 * @param client class path of the clients: released, with the benchmark's reader
 * @param jvmOptions what Hadoop needs on this JDK
 */
public record Build(Path home, String stock, String patched, String client,
    List<String> jvmOptions) {

  /** For what is needed but not measured: small, and soon done with compiling. */
  static final List<String> MODEST =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** By default /jmx shows the same figures for 10 seconds. */
  private static final String METRICS = "*.periodMillis=200\n";

  /** @return what {@code target/bench.options} says. */
  public static Build fromSystemProperties() {
    Path home = Path.of(System.getProperty("bench.home"));
    String hdfs = "/hadoop-hdfs-" + System.getProperty("bench.hadoop") + ".jar";
    String web = home.resolve("target/web").toString();
    String stock = System.getProperty("bench.stock");
    Stream<String> patched = Stream.concat(Stream.of(web, System.getProperty("bench.ours")),
        Stream.of(stock.split(File.pathSeparator)).filter(jar -> !jar.endsWith(hdfs)));
    return new Build(home, web + File.pathSeparator + stock,
        patched.collect(Collectors.joining(File.pathSeparator)),
        System.getProperty("bench.client"),
        List.of(System.getProperty("bench.jvm").trim().split("\\s+")));
  }

  /** @return where intermediate files go. */
  public Path target() {
    return home.resolve("target");
  }

  /**
   * A command line of one of Hadoop's daemons or clients.
   *
   * @param base where temporary files go
   * @param options for the JVM, its heap among them
   * @param conf directory of Hadoop's configuration
   */
  List<String> command(Path base, List<String> options, Path conf, String classPath, String main) {
    List<String> all = new ArrayList<>(jvmOptions);
    all.add("-Djava.io.tmpdir=" + base.resolve("tmp"));
    all.addAll(options);
    return JavaCommand.of(all, conf + File.pathSeparator + classPath, main);
  }

  /** Writes a directory of Hadoop's configuration. */
  static void configure(Path conf, Map<String, String> settings) throws IOException {
    SiteFile.writeAll(conf, settings.entrySet());
    SiteFile.logToConsole(conf);
    Files.writeString(conf.resolve("hadoop-metrics2.properties"), METRICS);
  }
}
