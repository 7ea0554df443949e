/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.hdfslocalcache.harness.Run;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Reads through an installed local cache, of each Hadoop on its oldest Java or the next: of files
 * that are appended to, truncated and replaced, from an SSD with wrong bytes, after a restart, and
 * without the SSD. The NameNode orders replicas by affinity.
 */
@RunWith(Parameterized.class)
public final class TestInstalledReads {

  private static final long SEED = System.nanoTime();
  private static final int FILE_SIZE = 9_000_000;

  private final String version;
  private final String java;
  private final Path directory;
  private final Path ssd;
  private final Random random = new Random(SEED);
  private InstalledTree tree;

  public TestInstalledReads(String version, String java) {
    this.version = version;
    this.java = java;
    directory = Path.of("target/reads-" + version + "-java" + java).toAbsolutePath();
    ssd = directory.resolve("ssd");
  }

  @Parameters(name = "Hadoop {0}, Java {1}")
  public static List<Object[]> lines() {
    System.out.println("seed " + SEED);
    return List.of(new Object[] {System.getProperty("hadoop.line.3.3"), "8"},
        new Object[] {System.getProperty("hadoop.line.3.4"), "11"},
        new Object[] {System.getProperty("hadoop.version"), "17"});
  }

  @Before
  public void setUp() throws Exception {
    tree = InstalledTree.alone(directory, version, java);
    Path home = tree.home();
    run(System.getProperty("distribution") + "/install.sh install $HADOOP_HOME");
    new InstalledConf(directory, 1).configure(home.resolve("etc/hadoop"), 1);
    switchAffinityOn(home);
    Files.createDirectories(ssd);
    Files.writeString(home.resolve("etc/hadoop/local-cache-site.xml"),
        Files.readString(Path.of(System.getProperty("distribution"),
            "conf/local-cache-site-small.xml"))
            .replace("/ssd/0", ssd.toString()).replace("300g", "64m").replace("20g", "1m")
            // No test may fail because the machine was busy for a second.
            .replace("</configuration>",
                "<property><name>dfs.datanode.local.cache.io.deadline</name><value>60s</value>"
                + "</property>\n</configuration>"));
    run("hdfs namenode -format -nonInteractive");
    tree.startDataNodes("hdfs --daemon start namenode\nexport HADOOP_IDENT_STRING=1\n"
        + "hdfs --daemon start datanode", "1");
    assertTrue(run("cat $HADOOP_HOME/logs/*namenode*").contains("Remote readers use 2 of"));
  }

  /** As docs/affinity.md says. */
  private void switchAffinityOn(Path home) throws Exception {
    run("cp " + System.getProperty("distribution")
        + "/namenode/replica-affinity-*.jar $HADOOP_HOME/share/hadoop/hdfs/lib/");
    Path site = home.resolve("etc/hadoop/hdfs-site.xml");
    Files.writeString(site, Files.readString(site).replace("</configuration>",
        "<property><name>dfs.net.topology.impl</name>"
        + "<value>io.hdfslocalcache.affinity.ReplicaAffinityTopology</value></property>\n"
        + "</configuration>"));
  }

  @After
  public void tearDown() throws Exception {
    if (tree != null) {
      tree.killDaemons();
    }
  }

  @Test
  public void everyReadIsRight_whateverHappensToReplicaAndSsd() throws Exception {
    byte[] first = content(FILE_SIZE);
    write("put", first);
    assertCached(first);

    byte[] more = content(FILE_SIZE / 2);
    write("appendToFile", more);
    byte[] both = Arrays.copyOf(first, first.length + more.length);
    System.arraycopy(more, 0, both, first.length, more.length);
    assertRead(both);
    assertCached(both);

    run("hdfs dfs -truncate -w " + FILE_SIZE / 3 + " /f");
    assertRead(Arrays.copyOf(first, FILE_SIZE / 3));

    run("hdfs dfs -rm -skipTrash /f");
    byte[] last = content(FILE_SIZE);
    write("put", last);
    assertCached(last);

    // Frees what is in memory, so that the wrong bytes are read.
    run("hdfs localcache off; hdfs localcache on");
    assertTrue("pages with wrong bytes", damage() > 0);
    assertRead(last);
    assertTrue("found", status("DamagedPages") > 0);

    assertCached(last);
    long pages = status("pages");
    tree.startDataNodes("export HADOOP_IDENT_STRING=1\nhdfs --daemon stop datanode\n"
        + "hdfs --daemon start datanode", "1");
    run("until hdfs localcache status --json 2> /dev/null | grep -q '\"pages\" *: *" + pages
        + "'; do sleep 0.5; done");
    assertRead(last);
    assertEquals("all from earlier pages", 0, status("BytesMiss"));

    Files.move(ssd, directory.resolve("gone"));
    assertRead(last);
    assertTrue(run("hdfs localcache diagnose").contains(".zip"));
    assertTrue("nobody has reported a replica", run("hdfs org.apache.hadoop.hdfs.tools.DFSck /").contains("is HEALTHY"));
  }

  private byte[] content(int length) {
    byte[] content = new byte[length];
    random.nextBytes(content);
    return content;
  }

  private void write(String how, byte[] content) throws Exception {
    Files.write(directory.resolve("written"), content);
    run("hdfs dfs -" + how + " " + directory.resolve("written") + " /f");
  }

  private void assertRead(byte[] expected) throws Exception {
    Path file = directory.resolve("read");
    run("hdfs dfs -cat /f > " + file);
    assertTrue("other bytes, seed " + SEED, Arrays.equals(expected, Files.readAllBytes(file)));
  }

  /** Reads it from the SSD, and once more, perhaps from memory. */
  private void assertCached(byte[] expected) throws Exception {
    run("hdfs localcache warm /f");
    long missed = status("BytesMiss");
    assertRead(expected);
    assertRead(expected);
    assertEquals("from the data volume", missed, status("BytesMiss"));
  }

  /** @return the number of damaged page files. */
  private int damage() throws IOException {
    int damaged = 0;
    try (Stream<Path> files = Files.walk(ssd)) {
      for (Path file : files.filter(this::isPage).toList()) {
        try (FileChannel page = FileChannel.open(file, StandardOpenOption.WRITE)) {
          page.write(ByteBuffer.wrap(content(4096)), Files.size(file) / 2);
          damaged++;
        }
      }
    }
    return damaged;
  }

  private boolean isPage(Path file) {
    return Files.isRegularFile(file) && file.toFile().length() > 100_000;
  }

  /** @return a number that the status has. */
  private long status(String name) throws Exception {
    String json = run("hdfs localcache status --json");
    Matcher found = Pattern.compile('"' + name + "\" *: *([0-9]+)").matcher(json);
    assertTrue(name + " in " + json, found.find());
    return Long.parseLong(found.group(1));
  }

  private String run(String script) throws Exception {
    Run run = tree.run("cd " + directory + "\n" + script);
    assertEquals(script + "\n" + run.out(), 0, run.exit());
    return run.out();
  }
}
