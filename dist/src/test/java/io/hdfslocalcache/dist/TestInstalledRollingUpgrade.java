/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

import io.hdfslocalcache.harness.Run;
import org.junit.After;
import org.junit.Test;

/**
 * A rolling upgrade to the local cache and back, as docs/operations.md describes it: NameNode and
 * DataNodes of stock and patched kind work together, and a client reads all the time.
 */
public final class TestInstalledRollingUpgrade {

  private static final int FILE_SIZE = 5_000_000;
  private static final int LIST_OF_FILES = 5000;

  private final Path directory = Path.of("target/rolling-upgrade").toAbsolutePath();
  private final InstalledTree stock = new InstalledTree(directory.resolve("stock"));
  private final InstalledTree patched = new InstalledTree(directory.resolve("patched"));
  private InstalledConf cluster;

  @After
  public void tearDown() throws Exception {
    stock.killDaemons();
    patched.killDaemons();
  }

  @Test
  public void upgradeAndBack_oneDaemonAfterTheOther_everyReadIsRight() throws Exception {
    SmallHost.delete(directory);
    String version = System.getProperty("hadoop.version");
    stock.create(version);
    patched.create(version);
    install();
    configure();
    assertEquals(0, stock.run(conf(1) + "hdfs namenode -format -nonInteractive").exit());
    start(stock, "namenode", 1);
    start(stock, "datanode", 1);
    start(stock, "datanode", 2);
    byte[] content = load();

    try (SteadyReader reader = read(content)) {
      reader.awaitMoreReads();
      move("datanode", 1, stock, patched);
      reader.awaitMoreReads();
      assertMixed();
      move("namenode", 1, stock, patched);
      reader.awaitMoreReads();
      move("datanode", 2, stock, patched);
      reader.awaitMoreReads();
      Run status = patched.run(conf(1) + "hdfs localcache status --wait-for ready");
      assertEquals(status.out(), 0, status.exit());

      move("datanode", 1, patched, stock);
      reader.awaitMoreReads();
      move("namenode", 1, patched, stock);
      reader.awaitMoreReads();
      move("datanode", 2, patched, stock);
      reader.awaitMoreReads();
      reader.check();
    }
  }

  private void assertMixed() throws Exception {
    Run status = patched.run(conf(1) + "hdfs localcache status");
    assertEquals(status.out(), 1, status.exit());
    assertTrue(status.out(), status.out().contains("127.0.0.1:" + cluster.ipcPort(1) + ": "));
    assertTrue(status.out(), status.out().contains("127.0.0.1:" + cluster.ipcPort(2)
        + ": does not support the local cache"));
  }

  private void install() throws Exception {
    Run run = patched.run(System.getProperty("distribution") + "/install.sh install $HADOOP_HOME");
    assertEquals(run.out(), 0, run.exit());
  }

  private void configure() throws Exception {
    cluster = new InstalledConf(directory, 2);
    Files.createDirectories(directory.resolve("ssd"));
    String site = Files.readString(Path.of(System.getProperty("distribution"),
        "conf/local-cache-site-small.xml"))
        .replace("/ssd/0", directory.resolve("ssd").toString())
        .replace("300g", "64m").replace("20g", "1m");
    for (int i = 1; i <= 2; i++) {
      Path conf = directory.resolve("conf-" + i);
      cluster.configure(conf, i);
      Files.writeString(conf.resolve("local-cache-site.xml"),
          site.replace("hdfs-local-cache<", "hdfs-local-cache-" + i + "<"));
    }
  }

  private byte[] load() throws Exception {
    byte[] content = new byte[FILE_SIZE];
    new Random(1).nextBytes(content);
    Files.write(directory.resolve("file"), content);
    Run put = stock.run(conf(1) + "hdfs dfs -put " + directory.resolve("file") + " /f");
    assertEquals(put.out(), 0, put.exit());
    return content;
  }

  private SteadyReader read(byte[] content) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("bash", "-c",
        conf(1) + "exec hdfs dfs -cat $(yes /f | head -n " + LIST_OF_FILES + ")");
    builder.environment().putAll(stock.environment());
    builder.redirectError(directory.resolve("reader.log").toFile());
    return new SteadyReader(builder.start(), content);
  }

  /** Restarts a daemon from the other tree, with the configuration and data it has. */
  private void move(String daemon, int number, InstalledTree from, InstalledTree to)
      throws Exception {
    Run stop = from.run(named(number) + "hdfs --daemon stop " + daemon);
    assertEquals(stop.out(), 0, stop.exit());
    start(to, daemon, number);
  }

  private void start(InstalledTree tree, String daemon, int number) throws Exception {
    String start = named(number) + "hdfs --daemon start " + daemon;
    if (daemon.equals("datanode")) {
      tree.startDataNodes(start, Integer.toString(number));
    } else {
      Run run = tree.run(start);
      assertEquals(run.out(), 0, run.exit());
    }
  }

  private String conf(int number) {
    return "export HADOOP_CONF_DIR=" + directory.resolve("conf-" + number) + "\n";
  }

  private String named(int number) {
    return conf(number) + "export HADOOP_IDENT_STRING=" + number + "\n";
  }
}
