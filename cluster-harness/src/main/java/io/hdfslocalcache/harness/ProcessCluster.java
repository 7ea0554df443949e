/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A NameNode and a DataNode in separate processes, on free ports of the loopback interface. They
 * are observed from outside only.
 */
public final class ProcessCluster implements AutoCloseable {

  /** For JVMs that are not measured: small, with a short compilation phase. */
  private static final String[] MODEST =
      {"-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"};
  /** By default /jmx shows the same figures for 10 seconds. */
  private static final String METRICS = "*.periodMillis=200\n";

  private final Places places;
  private final HadoopJvm nameNodeJvm;
  private final Map<String, String> settings = new HashMap<>();
  private final String address;
  private final String dataNodeIpc;
  private final Jmx nameNodeJmx;
  private final Jmx dataNodeJmx;
  private Daemon nameNode;
  private Daemon dataNode;
  private HadoopJvm dataNodeJvm;
  private Path dataNodeConf;

  /**
   * The directories of a cluster.
   *
   * @param base directory of logs, configurations, and the NameNode's files
   * @param data the DataNode's data directory
   * @param ssd the directory for pages
   * @param cgroups the DataNode's process groups: files to write process ids to
   */
  public record Places(Path base, Path data, Path ssd, List<Path> cgroups) {

    /** @return subdirectories for one of several clusters. */
    public Places of(String name) {
      return new Places(base.resolve(name), data.resolve(name), ssd.resolve(name), cgroups);
    }

    /** @return the same, for a DataNode in these groups. */
    public Places in(List<Path> groups) {
      return new Places(base, data, ssd, groups);
    }

    /** Creates empty directories. */
    public void prepare() throws IOException {
      empty(base);
      discard();
    }

    /** Deletes large files. The logs stay. */
    public void discard() throws IOException {
      empty(data);
      empty(ssd);
    }

    private static void empty(Path directory) throws IOException {
      Files.createDirectories(directory);
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          if (!path.equals(directory) && !path.endsWith("lost+found")) {
            Files.delete(path);
          }
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }

  /** Chooses ports; nothing is started. @param nameNodeJvm without a heap option */
  public ProcessCluster(Places places, HadoopJvm nameNodeJvm) throws IOException {
    this.places = places;
    this.nameNodeJvm = nameNodeJvm.with(MODEST);
    List<String> free =
        Arrays.stream(Daemon.freePorts(5)).mapToObj(port -> "127.0.0.1:" + port).toList();
    this.address = "hdfs://" + free.get(0);
    this.nameNodeJmx = new Jmx(URI.create("http://" + free.get(1)));
    this.dataNodeJmx = new Jmx(URI.create("http://" + free.get(2)));
    this.dataNodeIpc = free.get(3);
    settings.put("fs.defaultFS", address);
    settings.put("hadoop.tmp.dir", places.base().resolve("tmp").toString());
    settings.put("dfs.namenode.name.dir", name(places).toString());
    settings.put("dfs.namenode.http-address", free.get(1));
    settings.put("dfs.namenode.safemode.extension", "0");
    settings.put("dfs.replication", "1");
    settings.put("dfs.datanode.data.dir", places.data().toString());
    settings.put("dfs.datanode.http.address", free.get(2));
    settings.put("dfs.datanode.ipc.address", dataNodeIpc);
    settings.put("dfs.datanode.address", free.get(4));
    settings.putAll(SiteFile.QUIET_DISKS);
  }

  private static Path name(Places places) {
    return places.base().resolve("name");
  }

  /** Adds settings for both, before they are started. */
  public void set(Map<String, String> more) {
    settings.putAll(more);
  }

  private Path conf(String daemon, Map<String, String> own) throws IOException {
    Files.createDirectories(places.base().resolve("tmp"));
    Path conf = places.base().resolve("conf-" + daemon);
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(own);
    SiteFile.writeAll(conf, all.entrySet());
    SiteFile.logToConsole(conf);
    Files.writeString(conf.resolve("hadoop-metrics2.properties"), METRICS);
    return conf;
  }

  private Path log(String name) {
    return places.base().resolve(name + ".log");
  }

  /** Formats a new file system, before {@link #start}. */
  public void format() throws IOException, InterruptedException {
    HdfsDaemons.format(nameNodeJvm, conf("namenode", Map.of()), log("format"));
  }

  /**
   * Takes over the file system of a cluster that was closed, before {@link #start}. Each cluster
   * gets a copy of the metadata of NameNode and DataNode, and hard links to the same block files,
   * which must be on the same disk. So they share the OS page cache, and no cluster has a better
   * place on the disk.
   */
  public void share(Places written) throws IOException {
    share(name(written), name(places));
    share(written.data(), places.data());
  }

  private static void share(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path copy = to.resolve(from.relativize(path).toString());
        String name = path.getFileName().toString();
        if (Files.isDirectory(path)) {
          Files.createDirectories(copy);
          Files.setPosixFilePermissions(copy, Files.getPosixFilePermissions(path));
        } else if (name.startsWith("blk_")) {
          Files.createLink(copy, path);
        } else if (!name.equals("in_use.lock")) {
          Files.copy(path, copy);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Starts both, and returns when clients can read.
   *
   * @param jvm the DataNode's JVM
   * @param own additional settings of the DataNode
   */
  public void start(HadoopJvm jvm, Map<String, String> own) throws IOException {
    nameNode = HdfsDaemons.nameNode(nameNodeJvm, conf("namenode", Map.of()), log("namenode"));
    Places.empty(places.ssd());
    dataNodeJvm = jvm.with("-Djava.io.tmpdir=" + places.base().resolve("tmp"));
    dataNodeConf = conf("datanode", own);
    startDataNode();
    nameNode.await("leave safe mode", () -> {
      var safe = nameNodeJmx.bean("Hadoop:service=NameNode,name=NameNodeInfo").path("Safemode");
      return safe.isTextual() && safe.asText().isEmpty();
    });
  }

  /** Restarts the DataNode, and returns when clients can read. */
  public void restartDataNode() throws IOException {
    dataNode.close();
    startDataNode();
  }

  private void startDataNode() throws IOException {
    dataNode = HdfsDaemons.dataNode(
        dataNodeJvm, dataNodeConf, places.cgroups(), log("datanode"), log("datanode"));
    dataNode.await("register with the NameNode", () ->
        dataNodeJmx.bean("Hadoop:service=DataNode,name=DataNodeInfo")
            .path("BPServiceActorInfo").toString().contains("RUNNING"));
  }

  /** Runs a command of Hadoop to its end. @param jvm JVM with its class on the class path */
  public void admin(HadoopJvm jvm, String name, String main, String... arguments)
      throws IOException, InterruptedException {
    Daemon.run(name + " " + arguments[0], jvm.with(MODEST).command(
        places.base().resolve("conf-namenode"), main, arguments), log(arguments[0]));
  }

  /** @return the NameNode's address, for clients. */
  public String address() {
    return address;
  }

  /** @return the DataNode's IPC address. */
  public String dataNodeIpc() {
    return dataNodeIpc;
  }

  /** @return the DataNode's process. */
  public Daemon dataNode() {
    return dataNode;
  }

  /** @return the DataNode's /jmx page. */
  public Jmx dataNodeJmx() {
    return dataNodeJmx;
  }

  /** @return its directories. */
  public Places places() {
    return places;
  }

  @Override
  public void close() {
    Stream.of(dataNode, nameNode).filter(daemon -> daemon != null).forEach(Daemon::close);
  }
}
