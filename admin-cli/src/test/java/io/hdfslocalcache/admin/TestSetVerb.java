/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** {@code set} on two DataNodes with a local cache, a stock one and one that is down. */
public class TestSetVerb {
  private static final String THRESHOLD = "dfs.datanode.local.cache.rate.limiter.threshold";
  private static final String UNTIL = " until the DataNode restarts, configured is ";
  private static final String COUNT_ON = "; reads that still count stay";

  private static LocalCacheCluster cluster;
  private static Configuration conf;
  private static String down;

  @BeforeClass
  public static void startCluster() throws IOException {
    cluster = LocalCacheCluster.builder().dataNodes(2).threshold(10).start();
    conf = new Configuration(cluster.mini().getConfiguration(0));
    Configuration stock = new Configuration(conf);
    stock.unset(BlockReaderInterceptor.CLASS_KEY);
    cluster.mini().startDataNodes(stock, 2, true, null, null);
    cluster.mini().waitActive();
    down = address(3);
    DataNodeProperties stopped = cluster.mini().stopDataNode(3);
    assertTrue(stopped != null);
  }

  @AfterClass
  public static void stopCluster() {
    cluster.close();
  }

  @Test
  public void set_severalDataNodes_changesEachAndSaysForHowLong() throws Exception {
    run("set", "threshold", "4", address(0), address(1)).assertDone(
        address(0) + ": " + THRESHOLD + " = 4 (was 10)" + UNTIL + "10" + COUNT_ON,
        address(1) + ": " + THRESHOLD + " = 4 (was 10)" + UNTIL + "10" + COUNT_ON);
    String line = "  set: " + THRESHOLD + " = 4" + UNTIL + "10";
    assertTrue(run("status", address(0)).out().contains(line));
    run("set", THRESHOLD, "10", address(0), address(1)).assertDone(
        address(0) + ": " + THRESHOLD + " = 10 (was 4)" + UNTIL + "10" + COUNT_ON,
        address(1) + ": " + THRESHOLD + " = 10 (was 4)" + UNTIL + "10" + COUNT_ON);
    assertTrue(!run("status", address(0)).out().contains(line));
  }

  @Test
  public void set_json_hasOldAndNewValueAndFailures() throws Exception {
    CommandResult result = run("set", "--json", "capacity", "48m", address(0), down);
    JsonNode all = result.json().get("dataNodes");
    assertEquals(1, result.exitCode());
    assertEquals("64m", all.get(0).get("change").get("before").asText());
    assertEquals("48m", all.get(0).get("change").get("after").asText());
    assertEquals("cannot be reached: Connection refused", all.get(1).get("error").asText());
    assertEquals(0, run("set", "capacity", "64m", address(0)).exitCode());
  }

  @Test
  public void ssd_addDrainRemove_eachSaysWhatWasDone() throws Exception {
    String ssd = cluster.directory().resolve("more").toString();
    run("ssd", "add", ssd, address(0)).assertDone(address(0) + ": " + ssd + " is used from now on");
    run("ssd", "add", ssd, address(0)).assertFailed(
        address(0) + ": " + ssd + " is already in use");
    run("ssd", "drain", ssd, address(0)).assertDone(
        address(0) + ": " + ssd + " is drained, and has no pages");
    run("ssd", "remove", ssd, address(0)).assertDone(
        address(0) + ": " + ssd + " is no longer used");
    CommandResult unknown = run("ssd", "replace", ssd, address(0));
    assertEquals(1, unknown.exitCode());
    assertTrue(unknown.err().get(0).startsWith(
        address(0) + ": " + ssd + " is not a directory of this local cache; its directories: "));
  }

  @Test
  public void set_downAndStockDataNodes_othersAreChanged() throws Exception {
    CommandResult result = run("set", "window", "20m", address(1), address(2), down);
    assertEquals(1, result.exitCode());
    assertEquals(1, result.out().size());
    assertEquals(List.of(address(2) + ": does not support the local cache: it is not patched, "
        + "or not restarted since, or the plugin is not configured", down + ": cannot be reached: Connection refused"),
        result.err());
    assertEquals(0, run("set", "window", "10m", address(1)).exitCode());
    String counts = run("status", "--summary", address(1), address(2), down).out().get(0);
    assertTrue(counts, counts.endsWith(", 1 without a local cache, 1 without an answer"));
  }

  @Test
  public void set_badKeyOrValue_isRefusedAndChangesNothing() throws Exception {
    run("set", "threshold", "many", address(0)).assertFailed(address(0) + ": " + THRESHOLD
        + " = many: must be a whole number from 0 to 1000000");
    run("set", "tresh", "1", address(0)).assertFailed(address(0) + ": unknown key tresh; keys "
        + "that can be changed: dfs.datanode.local.cache.capacity, "
        + "dfs.datanode.local.cache.write.budget, " + THRESHOLD + ", dfs.datanode.local.cache.rate.limiter.window");
    CommandResult fixed = run("set", "page.size", "4k", address(0));
    assertEquals(1, fixed.exitCode());
    assertTrue(fixed.err().get(0).startsWith(address(0)
        + ": dfs.datanode.local.cache.page.size cannot be changed while the DataNode runs;"));
    run("set", "capacity", "1", address(0)).assertFailed(address(0) + ": "
        + "dfs.datanode.local.cache.capacity = 1: must be at least 16 pages of 16 KB, "
        + "256 KB");
    assertEquals(List.of(), run("status", address(0)).out().stream()
        .filter(line -> line.contains("  set: ")).toList());
  }

  @Test
  public void set_persist_isKeptUntilReset() throws Exception {
    String kept = ", saved for restarts, configured is 10";
    run("set", "threshold", "7", "--persist", address(1))
        .assertDone(address(1) + ": " + THRESHOLD + " = 7 (was 10)" + kept + COUNT_ON);
    String line = "  set: " + THRESHOLD + " = 7" + kept;
    assertTrue(run("status", address(1)).out().contains(line));
    run("set", "threshold", "8", address(1)).assertDone(address(1) + ": " + THRESHOLD
        + " = 8 (was 7) until the DataNode restarts, saved is 7, configured is 10" + COUNT_ON);
    run("set", "threshold", "--reset", address(1)).assertDone(
        address(1) + ": " + THRESHOLD + " = 10 (was 8), as configured" + COUNT_ON);
    assertEquals(List.of(), run("status", address(1)).out().stream()
        .filter(text -> text.contains("  set: ")).toList());
  }

  @Test
  public void set_resetAndPersistOrNoValue_isWrong() throws Exception {
    for (String[] args : new String[][] {
        {"set", "threshold"}, {"set", "threshold", "--persist"},
        {"set", "threshold", "4", "--persist", "--reset"}}) {
      assertEquals(-1, run(args).exitCode());
    }
  }

  private static CommandResult run(String... args) throws Exception {
    return CommandResult.ofVerb(conf, args);
  }

  private static String address(int dataNode) {
    return "127.0.0.1:" + cluster.dataNode(dataNode).getIpcPort();
  }
}
