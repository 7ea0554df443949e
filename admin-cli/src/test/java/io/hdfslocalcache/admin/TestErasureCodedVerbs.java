/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;

import io.hdfslocalcache.testing.ErasureCodedCluster;
import io.hdfslocalcache.testing.ErasureCodedCluster.InternalBlock;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** The verbs that take paths, on erasure-coded files: two blocks with data and one with parity. */
public class TestErasureCodedVerbs {
  private static final int PAGE = LocalCacheCluster.PAGE;
  /** One internal block is a cell long, the other a page. */
  private static final int LENGTH = ErasureCodedCluster.CELL + PAGE;
  private static final int PAGES = LENGTH / PAGE;

  private static ErasureCodedCluster striped;

  @BeforeClass
  public static void startCluster() throws IOException {
    striped = ErasureCodedCluster.start(
        "XOR-2-1-1024k", LocalCacheCluster.builder().dataNodes(3));
  }

  @AfterClass
  public static void stopCluster() {
    striped.close();
  }

  @Test
  public void warm_fillsDataAndLeavesParityOut() throws Exception {
    byte[] bytes = striped.cluster().write("/warm/file", LENGTH);
    CommandResult result = run("warm", "/warm");
    assertEquals(result.toString(), 0, result.exitCode());
    assertEquals(List.of(PAGES - 1, 1, 0), cachedPages("/warm/file"));

    ErasureCodedCluster.Sent before = striped.sent();
    assertEquals(LENGTH, striped.cluster().read("/warm/file").length);
    assertEquals(new ErasureCodedCluster.Sent(bytes.length, 0), striped.sent().since(before));
  }

  @Test
  public void explain_namesEachInternalBlockOnItsDataNode() throws Exception {
    striped.cluster().write("/explain", LENGTH);
    // A file is closed before the NameNode has heard of all its blocks.
    LocalCacheCluster.await("all blocks are known", () -> internalBlocks("/explain").size() == 3);
    CommandResult all = run("explain", "/explain");
    assertEquals(all.toString(), 0, all.exitCode());
    for (InternalBlock each : internalBlocks("/explain")) {
      String name = "blk_" + each.block().getBlockId();
      int line = all.out().indexOf("  " + name + (each.index() == 1 ? ", 16 KB" : ", 1 MB")
          + (each.index() == 2 ? ", parity, read while data is missing" : ""));
      assertTrue(all.toString(), line > 0);
      assertTrue(all.toString(), all.out().get(line + 1)
          .contains(":" + striped.cluster().dataNode(each.dataNode()).getIpcPort() + ": "));
      assertEquals(all.out().subList(line, line + 2), run("explain", name).out().subList(1, 3));
    }
  }

  @Test
  public void internalBlockOnADeadDataNode_isNamed() throws Exception {
    striped.cluster().write("/dead", LENGTH);
    LocalCacheCluster.await("all blocks are known", () -> internalBlocks("/dead").size() == 3);
    InternalBlock dead = striped.internalBlock("/dead", 1);
    DataNodeProperties stopped = striped.cluster().mini().stopDataNode(dead.dataNode());
    striped.cluster().mini().setDataNodeDead(stopped.getDatanode().getDatanodeId());
    CommandResult explain = run("explain", "/dead");
    CommandResult warm = run("warm", "/dead");
    striped.cluster().start(stopped);
    assertEquals(0, run("status", "--wait-for", "ready").exitCode());
    String name = "blk_" + dead.block().getBlockId();
    int line = explain.out().indexOf("  " + name + ", 16 KB");
    assertTrue(explain.toString(), line > 0);
    assertEquals("    no live replica", explain.out().get(line + 1));
    assertEquals(warm.toString(), 1, warm.exitCode());
    assertTrue(warm.toString(), warm.err().contains("/dead: " + dead.block().getBlockPoolId() + ":"
        + name + ": no live DataNode has a replica"));
  }

  @Test
  public void pin_holdsThePagesOfItsInternalBlocks() throws Exception {
    striped.cluster().write("/pin/file", LENGTH);
    run("warm", "/pin");
    CommandResult pin = run("pin", "/pin");
    // Enough for each DataNode but that with 64 pages of data, which are evicted from now on.
    CommandResult less = run("pin", "--quota", "512k", "/pin");
    for (InternalBlock each : internalBlocks("/pin/file")) {
      String pages = List.of("64 pages", "1 page", "0 pages").get(each.index());
      String replicas = each.index() < 2 ? " for 1 replica" : " of 0 B for 0 replicas";
      String line = lineOf(each, pin);
      assertTrue(line, line.contains("; " + pages + " ") && line.contains(replicas));
      assertFalse(line, line.contains("more than the quota"));
      String lessLine = lineOf(each, less);
      assertTrue(lessLine, lessLine.contains(replicas));
      assertEquals(lessLine, each.index() == 0,
          lessLine.contains("; more than the quota: once that is full, "));
    }
    assertEquals(0, run("unpin", "/pin").exitCode());
  }

  @Test
  public void clear_removesThePagesOfAllInternalBlocks() throws Exception {
    striped.cluster().write("/clear", LENGTH);
    run("warm", "/clear");
    assertEquals(List.of(PAGES - 1, 1, 0), cachedPages("/clear"));
    CommandResult result = run("clear", "--path", "/clear");
    assertEquals(result.toString(), 0, result.exitCode());
    assertEquals(List.of(0, 0, 0), cachedPages("/clear"));
  }

  private static CommandResult run(String... args) throws Exception {
    return CommandResult.ofVerb(striped.cluster().mini().getConfiguration(0), args);
  }

  private static String lineOf(InternalBlock block, CommandResult result) {
    assertEquals(result.toString(), 0, result.exitCode());
    String dataNode =
        "127.0.0.1:" + striped.cluster().dataNode(block.dataNode()).getIpcPort() + ": ";
    return result.out().stream().filter(one -> one.startsWith(dataNode)).findFirst().get();
  }

  private static List<InternalBlock> internalBlocks(String path) throws IOException {
    return striped.internalBlocks(striped.groups(path).get(0));
  }

  private static List<Integer> cachedPages(String path) throws IOException {
    return internalBlocks(path).stream().map(striped::cachedPages).toList();
  }
}
