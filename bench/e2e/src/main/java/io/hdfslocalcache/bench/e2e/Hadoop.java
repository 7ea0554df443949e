/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.HadoopJvm;

/**
 * The daemons that are compared: what Maven has built and found, handed over in system properties,
 * or an installed Hadoop.
 *
 * @param version of both
 * @param stock the JVM of released daemons
 * @param patched that of the patched DataNode: the same, but for one jar, and the local cache
 */
record Hadoop(String version, HadoopJvm stock, HadoopJvm patched) {

  /** The benchmark's own directory. */
  static final Path HOME = Path.of(System.getProperty("bench.home", "."));

  /** @return what {@code target/bench.options} says. */
  static Hadoop built() {
    String version = System.getProperty("bench.hadoop");
    String web = HOME.resolve("target/web").toString();
    String stock = System.getProperty("bench.stock");
    String patched = Stream.concat(Stream.of(web, System.getProperty("bench.ours")),
        Stream.of(stock.split(File.pathSeparator))
            .filter(jar -> !jar.endsWith("/hadoop-hdfs-" + version + ".jar")))
        .collect(Collectors.joining(File.pathSeparator));
    return of(version, HadoopJvm.program(), web + File.pathSeparator + stock, patched);
  }

  private static Hadoop of(String version, String java, String stock, String patched) {
    // Java 8 knows neither modules nor how to open them.
    List<String> options = Files.exists(Path.of(java).resolveSibling("../lib/modules"))
        ? List.of(System.getProperty("bench.jvm").trim().split("\\s+")) : List.of();
    return new Hadoop(version,
        new HadoopJvm(java, options, stock), new HadoopJvm(java, options, patched));
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
    // The released jar comes before the one that has taken its place.
    return of(released.getFileName().toString().replaceAll("hadoop-hdfs-|\\.jar", ""),
        program.toString(), released + File.pathSeparator + all,
        local.resolve("lib/*") + File.pathSeparator + all);
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
