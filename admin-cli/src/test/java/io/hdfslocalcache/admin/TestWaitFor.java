/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Which DataNodes {@code status --wait-for ready} waits for if none is named. */
public class TestWaitFor {

  private static LocalCacheCluster cluster;
  private static Configuration conf;

  @BeforeClass
  public static void start() throws IOException {
    cluster = LocalCacheCluster.builder().dataNodes(2)
        .set("dfs.datanode.local.cache.capacity", "1m").start();
    conf = cluster.mini().getConfiguration(0);
  }

  @AfterClass
  public static void stop() {
    cluster.close();
  }

  @Test
  public void dataNodeThatIsDead_isWaitedFor() throws Exception {
    String dead = address(1);
    DataNodeProperties stopped = stop(1);
    CommandResult result = waitForReady("1s");
    assertEquals(result.toString(), 1, result.exitCode());
    assertEquals(List.of(dead + ": cannot be reached: Connection refused"), result.err());
    assertTrue(result.toString(), result.out().get(0).startsWith(address(0) + ": filling "));
    assertEquals("those that live only", 0,
        waitForReady("1s", "livenodes").exitCode());
    cluster.start(stopped);
    assertBothAreReady();
  }

  @Test
  public void nameNodeThatHasRestarted_isAskedUntilADataNodeRegisters() throws Exception {
    DataNodeProperties second = stop(1);
    DataNodeProperties first = stop(0);
    cluster.mini().restartNameNode(false);
    CommandResult none = waitForReady("1s");
    none.assertFailed("after 1 s, no DataNode has registered with the NameNode");
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

  private static String address(int dataNode) {
    return "127.0.0.1:" + cluster.dataNode(dataNode).getIpcPort();
  }
}
