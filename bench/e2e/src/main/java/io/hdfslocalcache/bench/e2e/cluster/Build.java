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
 * Class paths and options for the processes: what Maven has built and found, handed over in system
 * properties, or an installed Hadoop.
 *
 * @param home the benchmark's own directory
 * @param java the program that runs the daemons
 * @param hadoop the daemons' version
 * @param stock class path of the released daemons
 * @param patched class path of the patched DataNode: the same, but for one jar, and the local cache
 * @param client class path of the clients: released, with the benchmark's reader
 * @param library Hadoop's native library, without which clients cannot read past the DataNode
 * @param jvmOptions what Hadoop needs on this JDK
 */
public record Build(Path home, String java, String hadoop, String stock, String patched,
    String client, Path library, List<String> jvmOptions) {

  /** For what is needed but not measured: small, and soon done with compiling. */
  static final List<String> MODEST =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** By default /jmx shows the same figures for 10 seconds. */
  private static final String METRICS = "*.periodMillis=200\n";

  /** @return what {@code target/bench.options} says. */
  public static Build fromSystemProperties() {
    Path home = Path.of(System.getProperty("bench.home"));
    String version = System.getProperty("bench.hadoop");
    String hdfs = "/hadoop-hdfs-" + version + ".jar";
    String web = home.resolve("target/web").toString();
    String stock = System.getProperty("bench.stock");
    Stream<String> patched = Stream.concat(Stream.of(web, System.getProperty("bench.ours")),
        Stream.of(stock.split(File.pathSeparator)).filter(jar -> !jar.endsWith(hdfs)));
    return new Build(home, JavaCommand.java(), version, web + File.pathSeparator + stock,
        patched.collect(Collectors.joining(File.pathSeparator)),
        System.getProperty("bench.client"),
        Path.of(System.getProperty("bench.native"), "libhadoop.so"),
        List.of(System.getProperty("bench.jvm").trim().split("\\s+")));
  }

  /**
   * The same with the daemons of a Hadoop that the local cache is installed in, on their own JVM.
   *
   * @param hadoopHome where it is installed
   * @param javaHome of their JVM
   * @throws IOException if the local cache is not installed there, or there is no such JVM
   */
  public Build withDaemonsOf(Path hadoopHome, Path javaHome) throws IOException {
    Path share = hadoopHome.resolve("share/hadoop");
    Path local = share.resolve("hdfs-local-cache");
    Path program = javaHome.resolve("bin/java");
    if (!Files.isExecutable(program)) {
      throw new IOException("there is no JVM in " + javaHome);
    }
    Path released = original(hadoopHome, local.resolve("original"));
    String all = Stream.of("common/lib/*", "common/*", "hdfs", "hdfs/lib/*", "hdfs/*")
        .map(part -> share.resolve(part).toString())
        .collect(Collectors.joining(File.pathSeparator));
    // The released jar comes before the one that has taken its place.
    return new Build(home, program.toString(),
        released.getFileName().toString().replaceAll("hadoop-hdfs-|\\.jar", ""),
        released + File.pathSeparator + all, local.resolve("lib/*") + File.pathSeparator + all,
        client, library, jvmOptions);
  }

  private static Path original(Path hadoopHome, Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        List<Path> jars =
            files.filter(file -> file.toString().matches(".*/hadoop-hdfs-[0-9].*\\.jar")).toList();
        if (jars.size() == 1) {
          return jars.get(0);
        }
      }
    }
    throw new IOException("the local cache is not installed in " + hadoopHome);
  }

  /** @return where intermediate files go. */
  public Path target() {
    return home.resolve("target");
  }

  /** @return the option of a JVM that has the native library. */
  String libraryPath() {
    return "-Djava.library.path=" + library.getParent();
  }

  /**
   * A command line of one of Hadoop's daemons.
   *
   * @param base where temporary files go
   * @param options for the JVM, its heap among them
   * @param conf directory of Hadoop's configuration
   */
  List<String> command(Path base, List<String> options, Path conf, String classPath, String main) {
    // Java 8 knows neither modules nor how to open them.
    boolean hasModules = Files.exists(Path.of(java).resolveSibling("../lib/modules"));
    return command(java, hasModules ? jvmOptions : List.of(), base, options, conf, classPath, main);
  }

  /** The same of a client, which runs on the JVM of the benchmark. */
  List<String> clientCommand(Path base, List<String> options, Path conf, String main) {
    return command(JavaCommand.java(), jvmOptions, base, options, conf, client, main);
  }

  private static List<String> command(String java, List<String> jvmOptions, Path base,
      List<String> options, Path conf, String classPath, String main) {
    List<String> all = new ArrayList<>(jvmOptions);
    all.add("-Djava.io.tmpdir=" + base.resolve("tmp"));
    all.addAll(options);
    return JavaCommand.of(java, all, conf + File.pathSeparator + classPath, main);
  }

  /** Writes a directory of Hadoop's configuration. */
  static void configure(Path conf, Map<String, String> settings) throws IOException {
    SiteFile.writeAll(conf, settings.entrySet());
    SiteFile.logToConsole(conf);
    Files.writeString(conf.resolve("hadoop-metrics2.properties"), METRICS);
  }
}
