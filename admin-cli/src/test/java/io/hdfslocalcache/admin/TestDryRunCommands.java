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
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.conf.Configuration;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** The commands to a DataNode that is in a dry run, through the real RPC. */
public class TestDryRunCommands {

  private static final int PAGE = LocalCacheCluster.PAGE;
  private static final String NOTE =
      "; nothing is written to or served from an SSD";

  private static LocalCacheCluster cluster;
  private static Configuration conf;
  private static String dataNode;

  @BeforeClass
  public static void startCluster() throws IOException {
    cluster = LocalCacheCluster.builder().ssds(0).set(LocalCacheKeys.DRY_RUN, true)
        .set(LocalCacheKeys.DRY_RUN_GHOSTS, "now,picky")
        .set(LocalCacheKeys.PREFIX + "dry-run.ghost.picky.rate.limiter.threshold", 5).start();
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
  public void status_namesTheDryRun_andShowsEachGhost() throws Exception {
    CommandResult.ofVerb(conf, "status", dataNode).assertDone(
        dataNode + ": dry run" + NOTE,
        "  ghost now: 1 hit, offload 50.0 %, reuse rate 50.0 %; 40 KB for the SSD; 2 pages, 40 KB "
            + "of 64 MB; 0 evicted, 0 without a read",
        "  ghost picky: 0 hits, offload 0.0 %, reuse rate -; 0 B for the SSD; 0 pages, 0 B of 64 MB; "
            + "0 evicted, 0 without a read");
  }

  @Test
  public void status_json_hasTheGhosts() throws Exception {
    CommandResult result = CommandResult.ofVerb(conf, "status", "--json", dataNode);
    JsonNode status = new ObjectMapper().readTree(String.join("\n", result.out()))
        .get("dataNodes").get(0).get("status");
    assertTrue(status.get("dryRun").asBoolean());
    assertEquals("now", status.at("/ghosts/0/name").asText());
    assertEquals(1, status.at("/ghosts/0/hits").asLong());
    assertEquals(0.5, status.at("/ghosts/0/offload").asDouble(), 0);
    assertTrue(status.at("/ghosts/0/writtenBytes").asLong() > 2 * PAGE);
    assertTrue(status.at("/ghosts/1/reuseRate").isNull());
    assertEquals(0, status.get("ssds").size());
  }

  @Test
  public void offAndOn_pauseAndGoOn_andSayThatItIsADryRun() throws Exception {
    CommandResult.ofVerb(conf, "off", dataNode)
        .assertDone(dataNode + ": off (dry run: ghosts are paused" + NOTE + ")");
    assertEquals(dataNode + ": dry run, paused" + NOTE,
        CommandResult.ofVerb(conf, "status", dataNode).out().get(0));
    CommandResult.of(conf, "-setLocalCache", "on", dataNode)
        .assertDone(dataNode + ": on (dry run: ghosts follow reads" + NOTE + ")");
    CommandResult.of(conf, "-getLocalCache", dataNode)
        .assertDone(dataNode + ": on (dry run: ghosts follow reads" + NOTE + ")");
  }

  @Test
  public void whatNeedsAnSsd_isRefusedWithTheReason() throws Exception {
    CommandResult result = CommandResult.ofVerb(conf, "top", dataNode);
    assertFalse(result.toString(), result.exitCode() == 0);
    assertEquals(List.of(dataNode + ": this DataNode is in a dry run: there is nothing on an SSD"),
        result.err());
  }
}
