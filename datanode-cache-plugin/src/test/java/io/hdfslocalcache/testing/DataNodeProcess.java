/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** A DataNode in a process of its own, to be ended by signals. */
public final class DataNodeProcess implements Closeable {

  private static final int EXIT_SECONDS = 120;
  private static final String LOG = """
      log4j.rootLogger=INFO, out
      log4j.appender.out=org.apache.log4j.ConsoleAppender
      log4j.appender.out.layout=org.apache.log4j.PatternLayout
      log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
      """;

  private final Process process;

  private final Thread atExit;

  private DataNodeProcess(Process process) {
    this.process = process;
    this.atExit = new Thread(process::destroyForcibly);
    // Whoever ends the tests ends it, too.
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Starts one.
   *
   * @param directory has its configuration, its log and its replicas, from start to start
   * @param conf names the NameNode, and has all the rest but the DataNode's own addresses
   */
  public static DataNodeProcess start(Path directory, Configuration conf) throws IOException {
    Path settings = Files.createDirectories(directory.resolve("conf"));
    Configuration own = new Configuration(conf);
    own.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, directory.resolve("data").toString());
    own.set(DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY, "127.0.0.1:0");
    own.set(DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY, "127.0.0.1:0");
    own.set(DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY, "127.0.0.1:0");
    try (OutputStream out = Files.newOutputStream(settings.resolve("hdfs-site.xml"))) {
      own.writeXml(out);
    }
    Files.writeString(settings.resolve("log4j.properties"), LOG);
    List<String> words = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
        "-Djava.net.preferIPv4Stack=true"));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens")).forEach(words::add);
    words.addAll(List.of("-cp", settings + ":" + System.getProperty("java.class.path"),
        DataNode.class.getName()));
    return new DataNodeProcess(new ProcessBuilder(words).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
        .start());
  }

  /** @return whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** @return the process's id. */
  public long pid() {
    return process.pid();
  }

  /** Ends it by SIGTERM, and waits. */
  public void terminate() throws IOException {
    process.destroy();
    awaitExit();
  }

  /** Ends it by SIGKILL, and waits. */
  public void kill() throws IOException {
    process.destroyForcibly();
    awaitExit();
  }

  private void awaitExit() throws IOException {
    Runtime.getRuntime().removeShutdownHook(atExit);
    try {
      if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("the DataNode does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    kill();
  }
}
