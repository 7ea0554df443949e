/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What Maven has built and found: class paths and options for the processes. Handed over in system
 * properties.
 *
 * @param home the benchmark's own directory
 * @param stock class path of the released daemons
 * @param patched class path of the patched DataNode: the same, but for one jar, and the local cache
 * @param client class path of the clients: released, with the benchmark's reader
 * @param jvmOptions what Hadoop needs on this JDK
 * @param hadoop version of Hadoop
 */
public record Build(Path home, String stock, String patched, String client,
    List<String> jvmOptions, String hadoop) {

  /** @return what {@code target/bench.options} says. */
  public static Build fromSystemProperties() {
    Path home = Path.of(System.getProperty("bench.home"));
    String hadoop = System.getProperty("bench.hadoop");
    String web = home.resolve("target/web").toString();
    String stock = System.getProperty("bench.stock");
    List<String> patched = new ArrayList<>(
        Arrays.asList(System.getProperty("bench.ours").split(File.pathSeparator)));
    Stream.of(stock.split(File.pathSeparator))
        .filter(jar -> !jar.endsWith("/hadoop-hdfs-" + hadoop + ".jar")).forEach(patched::add);
    return new Build(home, join(Stream.of(web, stock)),
        join(Stream.concat(Stream.of(web), patched.stream())),
        System.getProperty("bench.client"),
        List.of(System.getProperty("bench.jvm").trim().split("\\s+")), hadoop);
  }

  private static String join(Stream<String> paths) {
    return paths.collect(Collectors.joining(File.pathSeparator));
  }

  /** @return where intermediate files go. */
  public Path target() {
    return home.resolve("target");
  }
}
