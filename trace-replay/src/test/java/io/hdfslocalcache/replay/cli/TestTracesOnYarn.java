/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.InputStream;
import java.util.Arrays;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.harness.Run;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The traces of a cluster in HDFS, each played in a container of a real YARN. */
public class TestTracesOnYarn {

  private static final int SIMILAR = 50;
  private static final int BLOCK = 4 << 20;

  @ClassRule
  public static final TemporaryFolder TEMPORARY = new TemporaryFolder();

  private static YarnCluster cluster;

  @BeforeClass
  public static void start() throws Exception {
    cluster = YarnCluster.start(TEMPORARY, BLOCK);
    java.nio.file.Path traces =
        ClusterTraces.make(TEMPORARY.getRoot().toPath().resolve("traces"), SIMILAR);
    try (DistributedFileSystem fs = cluster.hdfs().newClient()) {
      fs.copyFromLocalFile(new Path(traces.toUri()), new Path("/traces"));
    }
  }

  @AfterClass
  public static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static JsonNode report(String directory) throws Exception {
    try (DistributedFileSystem fs = cluster.hdfs().newClient();
         FSDataInputStream in = fs.open(new Path(directory, "report.json"))) {
      assertEquals("[hdfs-site.xml, report.html, report.json, report.txt]",
          Arrays.toString(Arrays.stream(fs.listStatus(new Path(directory)))
              .map(file -> file.getPath().getName()).sorted().toArray()));
      return new ObjectMapper().readTree((InputStream) in);
    }
  }

  @Test
  public void recommend_byHadoopsRunJar_playsEachTraceInATask() throws Exception {
    java.nio.file.Path directory = TEMPORARY.newFolder("jar").toPath();
    JobJar maker = new JobJar();
    java.nio.file.Path jar = directory.resolve("job.jar");
    maker.write(jar);
    Run hadoop = maker.run(jar, directory, "recommend", "-conf", cluster.site(),
        "-D", YarnCluster.RACKS_BY_SCRIPT, "--traces", "/traces", "-o", "/recommended",
        "--ssd", "16g", "--endurance", "1dwpd");
    assertEquals(hadoop.out(), 0, hadoop.exit());
    assertTrue(hadoop.out(), hadoop.out().contains(ClusterTraces.ODD));
    JsonNode found = report("/recommended");
    assertEquals(0, found.get("failures").size());
    assertEquals(SIMILAR + 1, found.get("dataNodes").size());
  }
}
