/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.harness.Run;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The MapReduce jobs in containers of a real YARN, with results in HDFS: the benchmark, against a
 * real DataNode with a local cache, and the traces of a cluster, each played in a task.
 */
public class TestBenchmarksOnYarn {

  private static final String EXCERPT =
      "src/test/resources/io/hdfslocalcache/replay/trace/clienttrace-3.5.0.txt";
  private static final int EXCERPT_READS = 204;
  private static final int BLOCK = 4 << 20;
  private static final int DATA_NODES = 20;

  @ClassRule
  public static final TemporaryFolder TEMPORARY = new TemporaryFolder();

  private static YarnCluster cluster;
  private static JobJar maker;
  private static java.nio.file.Path jar;

  @BeforeClass
  public static void start() throws IOException {
    cluster = YarnCluster.start(TEMPORARY, BLOCK);
    maker = new JobJar();
    jar = TEMPORARY.getRoot().toPath().resolve("job.jar");
    maker.write(jar);
  }

  @AfterClass
  public static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Runs a command by Hadoop's RunJar, with Hadoop's jars alone. */
  private static void runJar(String command, Object... more) throws IOException {
    List<Object> words = new ArrayList<>(List.of(
        command, "-conf", cluster.site(), "-D", YarnCluster.RACKS_BY_SCRIPT));
    words.addAll(List.of(more));
    Run hadoop = maker.run(jar, TEMPORARY.newFolder().toPath(), words.toArray());
    assertEquals(hadoop.out(), 0, hadoop.exit());
  }

  /** @return the JSON of results, beside which are these files. */
  private static JsonNode results(String directory, String... files) throws IOException {
    try (DistributedFileSystem fs = cluster.hdfs().newClient();
         InputStream in = fs.open(new Path(directory, "report.json"))) {
      assertEquals(List.of(files), Arrays.stream(fs.listStatus(new Path(directory)))
          .map(file -> file.getPath().getName()).sorted().toList());
      return new ObjectMapper().readTree(in);
    }
  }

  private static JsonNode replayed(String directory) throws IOException {
    JsonNode json = results(directory, "report.html", "report.json", "report.txt");
    assertEquals("yarn", json.path("settings").path("MapReduce").asText());
    json.path("phases").forEach(phase -> assertEquals(0, phase.path("failed").asInt()));
    try (DistributedFileSystem fs = cluster.hdfs().newClient()) {
      assertFalse("data is deleted",
          fs.listStatusIterator(new Path("/benchmarks/local-cache")).hasNext());
    }
    return json;
  }

  @Test
  public void replay_generatedTrace_doesEveryReadOfEveryReader() throws Exception {
    File trace = new File(TEMPORARY.getRoot(), "generated.csv.gz");
    CommandRun generated =
        CommandRun.of("generate", "--scale", 0.0005, "--seed", 7, "-o", trace);
    assertEquals(generated.err(), 0, generated.exitCode());
    CommandRun stat = CommandRun.of("trace", "stat", "--json", "--quiet", trace);
    int reads = new ObjectMapper().readTree(stat.out()).path("reads").asInt();
    assertTrue(stat.out(), reads > 500);
    CommandRun run = CommandRun.of("replay", "-conf", cluster.site(), "-o", "/generated",
        "--start-delay", 1, "--quiet", "--rate", 2400, "--mappers", 3, "--max-data", "32m", trace);
    assertEquals(run.err(), 0, run.exitCode());
    JsonNode json = replayed("/generated");
    assertEquals(3, json.path("settings").path("tasks").asInt());
    assertEquals("all but those without bytes", reads,
        json.path("phases").path(0).path("reads").asInt()
            + json.path("settings").path("left out: without bytes").asInt());
    assertTrue("blocks of the trace are larger",
        json.path("settings").path("offset wrapped, block too large").asInt() > 0);
  }

  @Test
  public void replay_genuineTraceWithOffAndOn_doesEveryReadTwice() throws Exception {
    runJar("replay", "-o", "/genuine", "--start-delay", 1, "--quiet", "--compare", "--rate", 100,
        "--mappers", 2, new File(EXCERPT).getAbsolutePath());
    JsonNode phases = replayed("/genuine").path("phases");
    assertEquals(2, phases.size());
    phases.forEach(phase -> assertEquals(EXCERPT_READS, phase.path("reads").asInt()));
    assertEquals("no bytes from the local cache while it is off", 0,
        phases.path(0).path("offload %").asDouble(-1), 0);
  }

  @Test
  public void recommend_playsEachTraceInATask() throws Exception {
    java.nio.file.Path traces = TEMPORARY.newFolder("traces").toPath();
    for (int i = 0; i < DATA_NODES; i++) {
      Files.writeString(traces.resolve("dn" + i + ".csv"),
          "time_ms,block_id,offset,length\n0,1,0,4096\n1000,1,0,4096\n");
    }
    try (DistributedFileSystem fs = cluster.hdfs().newClient()) {
      fs.copyFromLocalFile(new Path(traces.toUri()), new Path("/traces"));
    }
    runJar("recommend", "--traces", "/traces", "-o", "/recommended", "--ssd", "16g",
        "--endurance", "1dwpd");
    JsonNode found = results(
        "/recommended", "hdfs-site.xml", "report.html", "report.json", "report.txt");
    assertEquals(0, found.get("failures").size());
    assertEquals(DATA_NODES, found.get("dataNodes").size());
  }
}
