/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.replay.embedded.EmbeddedCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The benchmarks as MapReduce jobs in containers of a real YARN, against a real DataNode with a
 * local cache.
 */
public class TestBenchmarksOnYarn {

  private static final String EXCERPT =
      "src/test/resources/io/hdfslocalcache/replay/trace/clienttrace-3.5.0.txt";
  private static final int EXCERPT_READS = 204;
  private static final int BLOCK = 4 << 20;

  @ClassRule
  public static final TemporaryFolder TEMPORARY = new TemporaryFolder();

  private static EmbeddedCluster hdfs;
  private static MiniMRYarnCluster yarn;
  private static File site;

  @BeforeClass
  public static void start() throws IOException {
    Path directory = TEMPORARY.newFolder("cluster").toPath();
    hdfs = EmbeddedCluster.start(new EmbeddedCluster.Settings(directory,
        directory.resolve("ssd"), 64 << 20, 1 << 20, BLOCK, 0, "10m"));
    Configuration conf = hdfs.conf();
    conf.setInt("mapreduce.map.memory.mb", 512);
    conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    conf.setInt("yarn.scheduler.minimum-allocation-mb", 256);
    conf.set("mapreduce.map.java.opts", "-Xmx256m");
    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx256m");
    conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    conf.setBoolean("yarn.nodemanager.disk-health-checker.enable", false);
    yarn = new MiniMRYarnCluster("benchmarks", 1);
    yarn.init(conf);
    yarn.start();
    site = TEMPORARY.newFile("site.xml");
    try (OutputStream out = Files.newOutputStream(site.toPath())) {
      yarn.getConfig().writeXml(out);
    }
  }

  @AfterClass
  public static void stop() {
    if (yarn != null) {
      yarn.stop();
    }
    if (hdfs != null) {
      hdfs.close();
    }
  }

  /** Runs a benchmark whose results go into HDFS. @return its JSON */
  private static JsonNode run(String command, Object... more) throws IOException {
    List<Object> args = new ArrayList<>(List.of(
        command, "-conf", site, "-o", "/results/" + command, "--start-delay", 1));
    args.addAll(List.of(more));
    CommandRun run = CommandRun.of(args.toArray());
    assertEquals(run.err(), 0, run.exitCode());
    assertTrue(run.out(), run.out().lines().anyMatch(line -> line.matches("MapReduce +yarn")));
    try (DistributedFileSystem fs = hdfs.newClient();
         FSDataInputStream in = fs.open(results(command, "report.json"))) {
      assertFalse("data is deleted",
          fs.listStatusIterator(new org.apache.hadoop.fs.Path("/benchmarks/local-cache"))
              .hasNext());
      assertTrue(fs.exists(results(command, "report.html")));
      return new ObjectMapper().readTree((java.io.InputStream) in);
    }
  }

  private static org.apache.hadoop.fs.Path results(String command, String file) {
    return new org.apache.hadoop.fs.Path("/results/" + command + "/" + file);
  }

  @Test
  public void baseline_onYarn_readsEveryPassFromTheOneDataNode() throws Exception {
    JsonNode phase = run("baseline", "--size", "6m", "--block-size", "4m", "--passes", 3)
        .path("phases").path(0);
    assertEquals(3, phase.path("tallies").size());
    assertEquals(6 << 20, phase.path("tallies").path("pass 002").path("bytes").asInt());
    assertEquals(0, phase.path("silent_datanodes").asInt());
  }

  @Test
  public void scale_onYarn_oneMapperForEachReader() throws Exception {
    JsonNode json = run("scale", "--files", 1, "--size", "2m", "--block-size", "1m",
        "--readers", 2, "--passes", 2);
    assertEquals(2 << 20, json.path("prepared").path("write").path("bytes").asInt());
    JsonNode phase = json.path("phases").path(0);
    assertEquals(2 * 2 * 32, phase.path("reads").asInt());
    assertEquals(8, phase.path("megabytes").asDouble(), 0);
  }

  @Test
  public void replay_genuineTraceOnYarnWithOffAndOn_doesEveryReadTwice() throws Exception {
    JsonNode json = run("replay", "--quiet", "--compare", "--rate", 100, EXCERPT);
    assertEquals(2, json.path("phases").size());
    for (JsonNode phase : json.path("phases")) {
      assertEquals(EXCERPT_READS, phase.path("reads").asInt());
      assertEquals(0, phase.path("failed").asInt());
    }
    assertEquals("no bytes from the local cache while it is off", 0,
        json.path("phases").path(0).path("offload_percent").asDouble(-1), 0);
  }
}
