/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** A DataNode in a process of its own, on the class path of this one. Ends with this one. */
final class DataNodeProcess implements Closeable {

  private static final String MAIN = "org.apache.hadoop.hdfs.server.datanode.DataNode";
  private static final String HEAP = "-Xmx512m";
  /** Where this process has its log; the DataNode's is beside it, and is still there afterwards. */
  private static final String LOG = "demo.log";
  private static final long PATIENCE_SECONDS = 120;
  private static final long STEP_MILLIS = 200;
  private static final long STOP_SECONDS = 20;
  /** Free ports; and nothing that reads the disk on its own, which the clients would wait for. */
  private static final Map<String, String> SETTINGS = Map.of(
      "dfs.datanode.address", "127.0.0.1:0",
      "dfs.datanode.http.address", "127.0.0.1:0",
      "dfs.datanode.ipc.address", "127.0.0.1:0",
      "dfs.datanode.directoryscan.interval", "-1",
      "dfs.block.scanner.volume.bytes.per.second", "0",
      "fs.getspaceused.classname", "org.apache.hadoop.fs.DFCachingGetSpaceUsed");

  private final Process process;
  private final Path log;
  private final Thread hook;

  private DataNodeProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.hook = new Thread(process::destroyForcibly, "end-datanode");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a DataNode.
   *
   * @param directory for its configuration and its log
   * @param conf of the cluster, with the DataNode's data directory
   * @param groups where it writes its process id before it becomes a DataNode
   */
  static DataNodeProcess start(Path directory, Configuration conf, List<Path> groups)
      throws IOException {
    Files.createDirectories(directory);
    Configuration own = new Configuration(conf);
    SETTINGS.forEach(own::set);
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      try (OutputStream out = Files.newOutputStream(directory.resolve(file))) {
        own.writeXml(out);
      }
    }
    String beside = System.getProperty(LOG);
    Path log = (beside == null ? directory.resolve(LOG) : Path.of(beside).toAbsolutePath())
        .resolveSibling("datanode.log");
    Files.deleteIfExists(log);
    StringBuilder enter = new StringBuilder();
    groups.forEach(group -> enter.append("echo $$ > '").append(group).append("' && "));
    List<String> command = new ArrayList<>(List.of("sh", "-c", enter + "exec \"$0\" \"$@\"",
        Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-opens")).forEach(command::add);
    command.addAll(List.of(HEAP, "-Djava.net.preferIPv4Stack=true", "-D" + LOG + "=" + log, MAIN));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(directory.resolve("datanode.out").toFile());
    builder.environment().put("CLASSPATH",
        directory + File.pathSeparator + System.getProperty("java.class.path"));
    return new DataNodeProcess(builder.start(), log);
  }

  /** Waits until the NameNode knows it. */
  void awaitRegistered(Configuration conf) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    try (DistributedFileSystem hdfs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
      while (hdfs.getDataNodeStats(DatanodeReportType.LIVE).length == 0) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new IOException("the DataNode " + (process.isAlive() ? "does not register"
              : "has ended") + ": " + lastLine() + "; log: " + log);
        }
        TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
      }
    }
  }

  private String lastLine() throws IOException {
    String last = "it has written no log";
    if (Files.exists(log)) {
      for (String line : Files.readAllLines(log)) {
        last = line.contains("ERROR") || line.contains("Exception: ") ? line : last;
      }
    }
    return last;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // This process is about to end, and the hook with it.
    }
  }
}
