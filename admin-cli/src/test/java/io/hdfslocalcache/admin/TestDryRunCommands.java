/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.conf.Configuration;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** The commands to a DataNode that is in a dry run, through the real RPC. */
public class TestDryRunCommands {

  private static final int PAGE = LocalCacheCluster.PAGE;
  private static final String ON = "on (dry run: reads are only counted)";

  private static LocalCacheCluster cluster;
  private static Configuration conf;
  private static String dataNode;

  @BeforeClass
  public static void startCluster() throws IOException {
    cluster = LocalCacheCluster.builder().ssds(0).set(LocalCacheKeys.DRY_RUN, true)
        .start();
    conf = cluster.mini().getConfiguration(0);
    dataNode = "127.0.0.1:" + cluster.dataNode(0).getIpcPort();
    cluster.write("/file", 2 * PAGE);
    cluster.read("/file");
    cluster.read("/file");
  }

  @AfterClass
  public static void stopCluster() {
    cluster.close();
  }

  @Test
  public void status_saysWhatTheSsdWouldHaveDone() throws Exception {
    CommandResult.ofVerb(conf, "status", dataNode).assertDone(
        dataNode + ": dry-run; " + ON,
        "  1 hit, offload 50.0 %, reuse rate 50.0 %; 40 KB for the SSD; 2 pages, 40 KB "
            + "of 64 MB; 0 evicted, 0 without a read",
        "  no errors");
  }

  @Test
  public void waitFor_ready_hasTheSameLine() throws Exception {
    CommandResult ready = CommandResult.ofVerb(conf, "status", "--wait-for", "ready", dataNode);
    assertEquals(dataNode + ": dry-run; " + ON, ready.out().get(0).replaceFirst(" \\(after .*", ""));
  }

  @Test(timeout = 60_000)
  public void waitFor_warm_failsAtOnce() throws Exception {
    CommandResult.ofVerb(conf, "status", "--wait-for", "warm", "--timeout", "1h", dataNode)
        .assertFailed(dataNode + ": is never warm: it is in a dry run");
  }

  @Test
  public void status_json_isThatOfALocalCache() throws Exception {
    CommandResult result = CommandResult.ofVerb(conf, "status", "--json", dataNode);
    JsonNode status = result.json().get("dataNodes").get(0).get("status");
    assertTrue(status.get("dryRun").asBoolean());
    assertEquals("dry-run", status.get("condition").asText());
    assertEquals(1, status.at("/counters/ReadsHit").asLong());
    assertEquals(0.5, status.at("/offload").asDouble(), 0);
    assertTrue(status.at("/counters/FillWrittenBytes").asLong() > 2 * PAGE);
    assertEquals(64 << 20, status.at("/ssds/0/capacityBytes").asLong());
  }

  @Test
  public void summary_countsTheDryRun_butNotItsFigures() throws Exception {
    CommandResult result = CommandResult.ofVerb(conf, "status", "--summary", "--json", dataNode);
    JsonNode summary = result.json();
    assertEquals(summary.toString(), 1, summary.findValue("conditions").path("dry-run").asInt());
    assertEquals(summary.toString(), 0, summary.findValue("fills").asInt(-1));
    assertEquals("it is normal", 0, summary.get("notNormal").size());
  }

  @Test
  public void offAndOn_pauseAndGoOn_andSayThatItIsADryRun() throws Exception {
    CommandResult.ofVerb(conf, "off", dataNode)
        .assertDone(dataNode + ": off (dry run: reads are not counted)");
    CommandResult status = CommandResult.ofVerb(conf, "status", dataNode);
    assertEquals(dataNode + ": off (dry run: reads are not counted)", status.out().get(0));
    assertEquals("as of a local cache that is off", 3, status.exitCode());
    CommandResult summary = CommandResult.ofVerb(conf, "status", "--summary", dataNode);
    assertTrue(summary.toString(),
        summary.out().contains("  off (dry run: reads are not counted): " + dataNode));
    CommandResult.of(conf, "-setLocalCache", "on", dataNode)
        .assertDone(dataNode + ": " + ON);
    CommandResult.of(conf, "-getLocalCache", dataNode)
        .assertDone(dataNode + ": " + ON);
  }

  @Test
  public void clear_saysThatItIsADryRun() throws Exception {
    cluster.write("/never-read", PAGE);
    CommandResult.ofVerb(conf, "clear", "--path", "/never-read")
        .assertDone(dataNode + ": 0 pages cleared (dry run)");
  }

  @Test
  public void whatNeedsAnSsd_isRefusedWithTheReason() throws Exception {
    CommandResult result = CommandResult.ofVerb(conf, "ssd", "drain", "/dry-run-1", dataNode);
    assertFalse(result.toString(), result.exitCode() == 0);
    assertEquals(List.of(dataNode + ": this DataNode is in a dry run: it uses no SSD"),
        result.err());
    cluster.write("/large", 65 << 20);
    for (String path : List.of("/file", "/large")) {
      CommandResult.ofVerb(conf, "warm", path)
          .assertFailed(dataNode + ": this DataNode is in a dry run: it uses no SSD");
    }
  }

  @Test
  public void top_showsTheBlocksThatWouldBeCached() throws Exception {
    CommandResult result = CommandResult.ofVerb(conf, "top", dataNode);
    assertEquals(result.toString(), 0, result.exitCode());
    assertTrue(result.toString(), result.out().get(1).contains(" 2/2 "));
    assertEquals(dataNode + ": would be cached (dry run)", result.out().get(2));
    assertNamesNoDirectory(result);
    JsonNode block = CommandResult.ofVerb(conf, "top", "--json", dataNode).json()
        .at("/blocks/0/replica");
    assertTrue(block.toString(), block.get("ssd").isNull());
  }

  private static void assertNamesNoDirectory(CommandResult result) {
    assertFalse(result.toString(), result.toString().contains("/dry-run-1"));
  }

  @Test
  public void explain_saysThatItWouldBeCached() throws Exception {
    CommandResult result = CommandResult.ofVerb(conf, "explain", "/file");
    assertEquals(result.toString(), 0, result.exitCode());
    assertTrue(result.toString(), result.out().get(2).startsWith("    " + dataNode
        + ": 2 of 2 pages would be cached (dry run), 1 read counted; it was read "));
    assertNamesNoDirectory(result);
  }
}
