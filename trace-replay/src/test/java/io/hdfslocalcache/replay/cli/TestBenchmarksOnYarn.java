/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.replay.embedded.EmbeddedCluster;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
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

  private static YarnCluster cluster;
  private static EmbeddedCluster hdfs;
  private static File site;

  @BeforeClass
  public static void start() throws IOException {
    cluster = YarnCluster.start(TEMPORARY, BLOCK);
    hdfs = cluster.hdfs();
    site = cluster.site();
  }

  @AfterClass
  public static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Runs the benchmark, whose results go into HDFS. @return its JSON */
  private static JsonNode run(String name, Object... more) throws IOException {
    List<Object> args = new ArrayList<>(List.of(
        "replay", "-conf", site, "-o", "/results/" + name, "--start-delay", 1));
    args.addAll(List.of(more));
    CommandRun run = CommandRun.of(args.toArray());
    assertEquals(run.err(), 0, run.exitCode());
    assertTrue(run.out(), run.out().lines().anyMatch(line -> line.matches("MapReduce +yarn")));
    try (DistributedFileSystem fs = hdfs.newClient();
         FSDataInputStream in = fs.open(results(name, "report.json"))) {
      assertFalse("data is deleted",
          fs.listStatusIterator(new org.apache.hadoop.fs.Path("/benchmarks/local-cache"))
              .hasNext());
      assertTrue(fs.exists(results(name, "report.html")));
      return new ObjectMapper().readTree((java.io.InputStream) in);
    }
  }

  private static org.apache.hadoop.fs.Path results(String name, String file) {
    return new org.apache.hadoop.fs.Path("/results/" + name + "/" + file);
  }

  @Test
  public void replay_generatedTraceOnYarn_doesEveryReadOfEveryReader() throws Exception {
    File trace = new File(TEMPORARY.getRoot(), "generated.csv.gz");
    CommandRun generated = CommandRun.of(
        "generate", "--scale", 0.0005, "--hours", 1, "--seed", 7, "-o", trace);
    assertEquals(generated.err(), 0, generated.exitCode());
    CommandRun stat = CommandRun.of("trace", "stat", "--json", "--quiet", trace);
    int reads = new ObjectMapper().readTree(stat.out()).path("reads").asInt();
    assertTrue(stat.out(), reads > 500);
    JsonNode json = run("generated", "--quiet", "--rate", 120,
        "--mappers", 3, "--max-data", "32m", trace);
    assertEquals(3, json.path("settings").path("tasks").asInt());
    assertEquals("all but those without bytes", reads,
        json.path("phases").path(0).path("reads").asInt()
            + json.path("settings").path("not to be done: without bytes").asInt());
    assertEquals(0, json.path("phases").path(0).path("failed").asInt());
    assertTrue("blocks of the trace are larger",
        json.path("settings").path("offset wrapped, block too large").asInt() > 0);
  }

  @Test
  public void replay_byHadoopsRunJar_needsOnlyHadoopsJars() throws Exception {
    Path directory = TEMPORARY.newFolder("jar").toPath();
    JobJar maker = new JobJar();
    Path jar = directory.resolve("job.jar");
    maker.write(jar);
    Run hadoop = maker.run(jar, directory, "replay", "-conf", site,
        "-D", YarnCluster.RACKS_BY_SCRIPT, "-o", "/results/jar", "--start-delay", 1, "--quiet",
        "--compare", "--rate", 100, "--mappers", 2, new File(EXCERPT).getAbsolutePath());
    assertEquals(hadoop.out(), 0, hadoop.exit());
    try (DistributedFileSystem fs = hdfs.newClient();
         FSDataInputStream in = fs.open(results("jar", "report.json"))) {
      JsonNode json = new ObjectMapper().readTree((java.io.InputStream) in);
      assertEquals("yarn", json.path("settings").path("MapReduce").asText());
      for (JsonNode phase : json.path("phases")) {
        assertEquals(EXCERPT_READS, phase.path("reads").asInt());
        assertEquals(0, phase.path("failed").asInt());
      }
    }
  }

  @Test
  public void replay_genuineTraceOnYarnWithOffAndOn_doesEveryReadTwice() throws Exception {
    JsonNode json = run("genuine", "--quiet", "--compare", "--rate", 100, EXCERPT);
    assertEquals(2, json.path("phases").size());
    for (JsonNode phase : json.path("phases")) {
      assertEquals(EXCERPT_READS, phase.path("reads").asInt());
      assertEquals(0, phase.path("failed").asInt());
    }
    assertEquals("no bytes from the local cache while it is off", 0,
        json.path("phases").path(0).path("offload %").asDouble(-1), 0);
  }
}
