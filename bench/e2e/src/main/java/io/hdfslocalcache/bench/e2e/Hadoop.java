/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.HadoopJvm;

/**
 * The compared daemons: built and found by Maven, and passed in system properties, or those of an
 * installed Hadoop.
 *
 * @param version of all
 * @param stock the JVM of stock daemons
 * @param patched the JVM of the patched DataNode: the same except for one jar and the local cache
 * @param before the JVM of the patched DataNode of an earlier version, or null
 */
record Hadoop(String version, HadoopJvm stock, HadoopJvm patched, HadoopJvm before) {

  /** The benchmark's own directory. */
  static final Path HOME = Path.of(System.getProperty("bench.home", "."));

  /**
   * Reads {@code target/bench.options}.
   *
   * @param before a checkout of an earlier version, or null
   * @throws IOException if nothing is built there
   */
  static Hadoop built(Path before) throws IOException {
    HadoopJvm earlier = before == null ? null : patched(options(before));
    Properties now = System.getProperties();
    return new Hadoop(now.getProperty("bench.hadoop"), jvm(HadoopJvm.program(), now,
        String.join(File.pathSeparator, web(now), now.getProperty("bench.stock"))),
        patched(now), earlier);
  }

  /** @param build its {@code bench.options} */
  static HadoopJvm patched(Properties build) {
    String released = "/hadoop-hdfs-" + build.getProperty("bench.hadoop") + ".jar";
    return jvm(HadoopJvm.program(), build, Stream.concat(
        Stream.of(web(build), build.getProperty("bench.ours")),
        Stream.of(build.getProperty("bench.stock").split(File.pathSeparator))
            .filter(jar -> !jar.endsWith(released)))
        .collect(Collectors.joining(File.pathSeparator)));
  }

  private static String web(Properties build) {
    return Path.of(build.getProperty("bench.home"), "target/web").toString();
  }

  private static HadoopJvm jvm(String java, Properties build, String classPath) {
    // Java 8 has no modules to open.
    return new HadoopJvm(java, Files.exists(Path.of(java).resolveSibling("../lib/modules"))
        ? List.of(build.getProperty("bench.jvm").trim().split("\\s+")) : List.of(), classPath);
  }

  /** @return the {@code bench.options} of a checkout. */
  static Properties options(Path checkout) throws IOException {
    Path file = checkout.resolve("bench/e2e/target/bench.options");
    if (!Files.exists(file)) {
      throw new IOException("nothing is built in " + checkout + "; run its bench/run --list");
    }
    Properties options = new Properties();
    Pattern.compile("\"-D(bench\\.\\w+)=([^\"]*)\"").matcher(Files.readString(file)).results()
        .forEach(option -> options.setProperty(option.group(1), option.group(2)));
    return options;
  }

  HadoopJvm jvm(Variant.Build build) {
    return switch (build) {
      case RELEASED -> stock;
      case PATCHED -> patched;
      case BEFORE -> before;
    };
  }

  /**
   * The daemons of a Hadoop in which the local cache is installed, on their own JVM.
   *
   * @throws IOException if the local cache is not installed there, or there is no such JVM
   */
  static Hadoop installed(Path hadoopHome, Path javaHome) throws IOException {
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
    // The stock jar comes before its replacement.
    Properties now = System.getProperties();
    return new Hadoop(released.getFileName().toString().replaceAll("hadoop-hdfs-|\\.jar", ""),
        jvm(program.toString(), now, released + File.pathSeparator + all),
        jvm(program.toString(), now, local.resolve("lib/*") + File.pathSeparator + all), null);
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
}
