/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.Run;

/** A real Hadoop tree, and commands that are run with it. */
final class InstalledTree {

  private static final Path TARGET = Path.of("target").toAbsolutePath();

  private final Path home;
  private final Path javaHome;

  /** A tree that runs on the Java of the tests. */
  InstalledTree(Path home) {
    this(home, Jvms.OWN);
  }

  InstalledTree(Path home, Path javaHome) {
    this.home = home;
    this.javaHome = javaHome;
  }

  /** @return a release on a Java, alone in a directory that is emptied first. */
  static InstalledTree alone(Path directory, String version, String java)
      throws IOException, InterruptedException {
    SmallHost.delete(directory);
    InstalledTree tree = new InstalledTree(directory.resolve("hadoop"), Jvms.home(java));
    tree.create(version);
    return tree;
  }

  Path home() {
    return home;
  }

  /**
   * Unpacks Apache's {@code hadoop-VERSION.tar.gz}, if the directory {@code -Dtarballs} has it. Else
   * lays out a release as that archive would, with a launcher in the place of Apache's scripts.
   */
  void create(String version) throws IOException, InterruptedException {
    Path archive = Path.of(System.getProperty("tarballs"), "hadoop-" + version + ".tar.gz");
    if (Files.exists(archive)) {
      Files.createDirectories(home);
      runOrFail("tar xzf '" + archive + "' --strip-components=1 -C '" + home + "'");
      return;
    }
    Path module = HadoopLines.target(version);
    HadoopTree.create(home, module.resolve("upstream/hadoop-hdfs-" + version + ".jar"),
        module.resolve("hadoop.classpath"), TARGET.resolve("webapps-" + version + "/webapps"));
    Path mapReduce = Files.createDirectories(home.resolve("share/hadoop/mapreduce"));
    try (Stream<Path> jars = Files.list(TARGET.resolve("mapreduce-" + version))) {
      for (Path jar : jars.toList()) {
        Files.copy(jar, mapReduce.resolve(jar.getFileName()));
      }
    }
  }

  /** Runs lines of bash with the tree's commands on the path, until one of them fails. */
  Run run(String script) throws IOException, InterruptedException {
    return Run.of(environment(), List.of("bash", "-c", script));
  }

  Map<String, String> environment() {
    String opens = Jvms.options(javaHome);
    return Map.of(
        "HADOOP_HOME", home.toString(),
        "JAVA_HOME", javaHome.toString(),
        "PATH", home.resolve("bin") + ":" + System.getenv("PATH"),
        "LC_ALL", "C.UTF-8",
        "HADOOP_PID_DIR", home.resolve("pids").toString(),
        "HADOOP_OPTS", opens
            + " -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true");
  }

  /**
   * Starts DataNodes and waits until they have registered.
   *
   * @param script lines of bash
   * @param names the HADOOP_IDENT_STRING of each
   */
  void startDataNodes(String script, String... names) throws IOException, InterruptedException {
    // hadoop-1-datanode-HOST.out if the scripts are Apache's.
    StringBuilder lines = new StringBuilder("registered() { cat \"$HADOOP_HOME\"/logs/*$1-datanode*"
        + " 2> /dev/null | grep -c 'successfully registered with NN'; }\n");
    for (String name : names) {
      lines.append("before_").append(name).append("=$(registered ").append(name).append(")\n");
    }
    lines.append(script).append('\n');
    for (String name : names) {
      lines.append("until [[ $(registered ").append(name).append(") -gt $before_").append(name)
          .append(" ]]; do sleep 0.2; done\n");
    }
    runOrFail(lines.toString());
  }

  private void runOrFail(String script) throws IOException, InterruptedException {
    Run run = run(script);
    if (run.exit() != 0) {
      throw new IOException(run.out());
    }
  }

  /** Ends the daemons that were started from this tree, and no others. */
  void killDaemons() throws IOException {
    Path pids = home.resolve("pids");
    if (!Files.isDirectory(pids)) {
      return;
    }
    try (Stream<Path> files = Files.list(pids)) {
      for (Path file : files.toList()) {
        Optional<ProcessHandle> daemon =
            ProcessHandle.of(Long.parseLong(Files.readString(file).strip()));
        daemon.filter(process -> process.info().commandLine().orElse("").contains(home.toString()))
            .ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }
}
