/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Output and commands for all DataNodes of a cluster of two. */
public class TestClusterVerbs {
  private static final String OFF = ": off (until the DataNode restarts)";
  private static final String KEEP = "; --persist keeps it off";

  private static LocalCacheCluster cluster;
  private static Configuration conf;

  @BeforeClass
  public static void start() throws IOException {
    cluster = LocalCacheCluster.builder().dataNodes(2)
        .set("dfs.datanode.local.cache.capacity", "1m")
        .set("dfs.datanode.local.cache.write.budget", "1m").start();
    conf = cluster.mini().getConfiguration(0);
  }

  @AfterClass
  public static void stop() {
    cluster.close();
  }

  @Test
  public void onAndOff_oneDataNode_switchItAndSayForHowLong() throws Exception {
    run("off", address(1)).assertDone(address(1) + OFF + KEEP);
    assertFalse(cluster.interceptor(1).monitoring().isOn());
    assertTrue(cluster.interceptor(0).monitoring().isOn());
    assertTrue(run("status", address(1)).out().contains(address(1) + OFF));
    run("on", address(1)).assertDone(address(1) + ": on");
    assertTrue(cluster.interceptor(1).monitoring().isOn());
  }

  @Test
  public void off_persist_isKeptUntilOnPersist() throws Exception {
    String kept = address(1) + ": off (saved for restarts, configured is on)";
    run("off", "--persist", address(1)).assertDone(kept);
    assertFalse(cluster.interceptor(1).monitoring().isOn());
    assertTrue(run("status", address(1)).out().contains(kept));
    run("on", address(1)).assertDone(
        address(1) + ": on (until the DataNode restarts); --persist keeps it on");
    run("on", "--persist", address(1)).assertDone(address(1) + ": on");
  }

  @Test
  public void off_json_isOneDocumentWithFailures() throws Exception {
    CommandResult result = run("off", "--json", address(1), "127.0.0.1:1");
    run("on", address(1));
    assertEquals(1, result.exitCode());
    JsonNode all = result.json().get("dataNodes");
    assertFalse(all.get(0).get("on").asBoolean());
    assertEquals("(until the DataNode restarts)", all.get(0).get("note").asText());
    assertEquals("cannot be reached: Connection refused", all.get(1).get("error").asText());
  }

  @Test
  public void summary_liveNodes_findsWhatWasChangedOnOne() throws Exception {
    run("set", "capacity", "2m", address(1));
    CommandResult result = run("status", "--summary");
    run("set", "capacity", "1m", address(1));
    assertEquals(List.of(), result.err());
    assertEquals(0, result.exitCode());
    assertTrue(result.toString(), result.out().get(0)
        .matches("2 DataNodes: ([12] (filling|warm|not-filling), ){1,2}0 without an answer"));
    assertTrue(result.toString(), result.out().get(1).startsWith("  SSDs: 2 NORMAL; "));
    assertTrue(result.toString(), result.out().stream().anyMatch(line ->
        line.matches("  dfs.datanode.local.cache.capacity = [12]m: .*")));
    JsonNode status = run("status", "--json", address(0)).json().at("/dataNodes/0/status");
    assertTrue(status.toString(), status.path("version").asText().matches("[0-9]+\\..*"));
  }

  /** The timeout is for fills that may go on. */
  @Test(timeout = 180_000)
  public void warm_writeBudgetIsSpent_stopsBeforeTheTimeoutAndSaysSo() throws Exception {
    CommandResult warm;
    int files = 0;
    do {
      assertTrue("never spent", files < 5);
      String file = "/warm" + files++;
      cluster.write(file, 700 << 10, (short) 2);
      warm = run("warm", "--timeout", "1h", file);
      run("clear", "--path", file);
    } while (warm.exitCode() == 0);
    assertTrue("there was a budget", files > 1);
    CommandResult spent = warm;
    assertTrue(spent.toString(), spent.err().stream().anyMatch(line ->
        line.matches(".*: stopped: " + LocalCacheCluster.BUDGET_SPENT)));
    assertTimeIsThatOfTheAnswer("/warm0");
  }

  /** The first DataNode has spent its budget, and waits for seconds. */
  private static void assertTimeIsThatOfTheAnswer(String file) throws Exception {
    String last = Stream.of(address(0), address(1)).max(Comparator.naturalOrder()).get();
    run("set", "write.budget", "1t", last);
    CommandResult warm = run("warm", "--timeout", "1h", file);
    run("set", "write.budget", "--reset", last);
    assertTrue(warm.toString(),
        warm.out().get(1).matches(last + ": ([0-9]+) of \\1 pages cached, after [0-9]+ s"));
    assertTrue(warm.toString(), seconds(warm.out().get(1)) < seconds(warm.out().get(0)));
    assertEquals(warm.toString(), 1, warm.exitCode());
  }

  private static int seconds(String warm) {
    return Integer.parseInt(warm.replaceAll(".*after ([0-9]+) s.*", "$1"));
  }

  /** Parts of a page that readers have filled are no progress. */
  @Test(timeout = 180_000)
  public void warm_writeBudgetIsSpentAndReadersHaveFilledAPart_stops() throws Exception {
    int page = 256 << 10;
    try (LocalCacheCluster parts = withBudget(page, "1k")) {
      parts.write("/part", 2 * page);
      LocalCacheCluster.await("a part of a page", () -> {
        try {
          parts.pread("/part", 0, 1000);
          parts.settle();
          return parts.cached(0, "/part") != null;
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      });
      assertEquals(0, parts.cached(0, "/part").wholePages());
      parts.write("/other", 8 * page);
      Configuration its = parts.mini().getConfiguration(0);
      while (CommandResult.ofVerb(its, "warm", "--timeout", "1m", "/other").exitCode() == 0) {
        CommandResult.ofVerb(its, "clear", "--path", "/other");
      }
      CommandResult warm = CommandResult.ofVerb(its, "warm", "--timeout", "1m", "/part");
      assertEquals(warm.toString(), 1, warm.exitCode());
      assertTrue(warm.toString(), warm.err().stream().anyMatch(line ->
          line.matches(".*: stopped: " + LocalCacheCluster.BUDGET_SPENT)));
      assertTrue(warm.toString(),
          warm.out().get(0).contains(": 0 of 2 pages cached, after "));
      String cleared = CommandResult.ofVerb(its, "clear", "--path", "/part").out().get(0);
      assertTrue(cleared, cleared.matches(
          ".*: [01] pages? cleared; not filling: " + LocalCacheCluster.BUDGET_SPENT));
      CommandResult pin = CommandResult.ofVerb(its, "pin", "--quota", "1m", "/part");
      assertTrue(pin.toString(), pin.out().get(0)
          .matches(".* for 1 replica; not filling: " + LocalCacheCluster.BUDGET_SPENT));
    }
  }

  /** One page in ten seconds is not enough for readers and an operator. */
  @Test(timeout = 180_000)
  public void warm_writeBudgetIsRefilledSlowly_stopsAndNamesIt() throws Exception {
    int page = 256 << 10;
    try (LocalCacheCluster slow = withBudget(page, "2200m")) {
      slow.write("/file", 8 * page);
      Configuration its = slow.mini().getConfiguration(0);
      CommandResult warm;
      do {
        warm = CommandResult.ofVerb(its, "warm", "/file");
        CommandResult.ofVerb(its, "clear", "--path", "/file");
      } while (warm.exitCode() == 0);
      assertTrue(warm.toString(), warm.err().stream().anyMatch(line ->
          line.matches(".*: stopped: write budget spent: pages enter at [0-9.]+ GB a day")));
    }
  }

  @Test
  public void warm_onlyReplicaIsOnADeadDataNode_failsAndNamesTheBlock() throws Exception {
    cluster.write("/lost", 1000);
    String block = LocalCacheCluster.key(cluster.block("/lost")).toString();
    String holder = cluster.fs()
        .getFileBlockLocations(new Path("/lost"), 0, 1)[0].getNames()[0];
    DataNodeProperties stopped =
        stop(cluster.dataNode(0).getDatanodeId().getXferAddr().equals(holder) ? 0 : 1);
    CommandResult warm = run("warm", "/lost");
    CommandResult json = run("warm", "--json", "/lost");
    cluster.start(stopped);
    assertBothAreReady();
    warm.assertFailed("/lost: " + block + ": no live DataNode has a replica");
    assertEquals(1, json.exitCode());
    assertEquals(block, json.json().at("/lostBlocks/0").asText());
    assertEquals("[]", run("warm", "--json", "/lost").json().path("lostBlocks").toString());
  }

  /** @return a DataNode with room for 16 pages. */
  private static LocalCacheCluster withBudget(int page, String perDay) throws IOException {
    return LocalCacheCluster.builder()
        .set("dfs.datanode.local.cache.page.size", page)
        .set("dfs.datanode.local.cache.capacity", 16 * page)
        .set("dfs.datanode.local.cache.write.budget", perDay).start();
  }

  @Test
  public void waitFor_dataNodeThatIsDead_isWaitedFor() throws Exception {
    String dead = address(1);
    DataNodeProperties stopped = stop(1);
    CommandResult result = waitForReady("10s");
    assertEquals(result.toString(), 1, result.exitCode());
    assertEquals(List.of(dead + ": cannot be reached: Connection refused"), result.err());
    assertTrue(result.toString(), result.out().get(0)
        .matches(address(0) + ": (filling|warm|not-filling) .*"));
    assertEquals("those that live only", 0,
        waitForReady("5m", "livenodes").exitCode());
    cluster.start(stopped);
    assertBothAreReady();
  }

  @Test
  public void waitFor_nameNodeThatHasRestarted_isAskedUntilADataNodeRegisters() throws Exception {
    DataNodeProperties second = stop(1);
    DataNodeProperties first = stop(0);
    cluster.mini().restartNameNode(false);
    CommandResult none = waitForReady("10s");
    none.assertFailed("after 10 s, no DataNode has registered with the NameNode");
    Thread later = new Thread(() -> {
      try {
        Thread.sleep(1000);
        cluster.start(first);
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    });
    later.start();
    CommandResult ready = waitForReady("5m");
    later.join();
    assertEquals(ready.toString(), 0, ready.exitCode());
    cluster.start(second);
    assertBothAreReady();
  }

  @Test
  public void waitFor_nameNodeInSafeMode_isWaitedFor() throws Exception {
    NameNodeAdapter.enterSafeMode(cluster.mini().getNameNode(), false);
    try {
      waitForReady("10s").assertFailed("after 10 s, the NameNode is still in safe mode");
      assertEquals("those that are named", 0, waitForReady("1s", address(0)).exitCode());
    } finally {
      NameNodeAdapter.leaveSafeMode(cluster.mini().getNameNode());
    }
    assertBothAreReady();
  }

  private static DataNodeProperties stop(int dataNode) throws Exception {
    String address = cluster.dataNode(dataNode).getDatanodeId().getXferAddr();
    DataNodeProperties stopped = cluster.mini().stopDataNode(dataNode);
    cluster.mini().setDataNodeDead(stopped.getDatanode().getDatanodeId());
    LocalCacheCluster.await(address + " is dead", () -> cluster.fs()
        .getDataNodeStats(DatanodeReportType.DEAD).length > 0);
    return stopped;
  }

  private static void assertBothAreReady() throws Exception {
    MiniDFSCluster mini = cluster.mini();
    mini.waitActive();
    CommandResult ready = waitForReady("5m");
    assertEquals(ready.toString(), 0, ready.exitCode());
    assertEquals(ready.toString(), 2, ready.out().size());
  }

  private static CommandResult waitForReady(String timeout, String... dataNodes)
      throws Exception {
    List<String> args = new ArrayList<>(
        List.of("status", "--wait-for", "ready", "--timeout", timeout));
    args.addAll(List.of(dataNodes));
    return CommandResult.ofVerb(conf, args.toArray(String[]::new));
  }

  private static CommandResult run(String... args) throws Exception {
    return CommandResult.ofVerb(conf, args);
  }

  private static String address(int dataNode) {
    return "127.0.0.1:" + cluster.dataNode(dataNode).getIpcPort();
  }
}
