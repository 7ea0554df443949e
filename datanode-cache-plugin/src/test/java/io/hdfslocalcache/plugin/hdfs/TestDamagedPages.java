/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.LoggedLines;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.util.DataChecksum;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Pages that the SSD returns damaged: readers get the right bytes, the page is dropped and filled
 * again, and no replica is reported.
 */
public class TestDamagedPages extends ClusterFixture {

  private static final int PAGE = LocalCacheCluster.PAGE;
  private static final int PAGES = Damage.values().length + 1;
  private static final String FILE = "/file";

  private byte[] bytes;

  /** Damage to a page file, which has data, then checksums, then the trailer. */
  private enum Damage {
    DATA_BIT((page, other, older) -> flipped(page, 5000)),
    CHECKSUM_BIT((page, other, older) -> flipped(page, PAGE + 17)),
    TRAILER_BIT((page, other, older) -> flipped(page, page.length - PageTrailer.LENGTH + 20)),
    DATA_ZERO((page, other, older) -> zeroed(page, 8192, 8192 + 4096)),
    CHECKSUMS_ZERO((page, other, older) -> zeroed(page, PAGE, page.length)),
    ALL_ZERO((page, other, older) -> zeroed(page, 0, page.length)),
    /** It is another page of the same block. */
    SWAPPED((page, other, older) -> other),
    DATA_SWAPPED((page, other, older) -> copied(other, page, 4096, 8192)),
    /** It is as before the block's last change: later writes are lost. */
    STALE((page, other, older) -> older),
    DATA_STALE((page, other, older) -> copied(older, page, 0, PAGE)),
    CHECKSUMS_STALE((page, other, older) -> copied(older, page, PAGE, page.length)),
    /** Data and checksums match each other. */
    ALL_BUT_TRAILER_STALE((page, other, older) ->
        copied(older, page, 0, page.length - PageTrailer.LENGTH)),
    CUT((page, other, older) -> Arrays.copyOf(page, PAGE)),
    EMPTY((page, other, older) -> new byte[0]),
    MISSING((page, other, older) -> null);

    private final Change change;

    /** Returns a damaged version of a sound page, which it may change; null: its file is gone. */
    private interface Change {
      byte[] apply(byte[] page, byte[] other, byte[] older);
    }

    Damage(Change change) {
      this.change = change;
    }

    private static byte[] flipped(byte[] page, int at) {
      page[at] ^= 16;
      return page;
    }

    private static byte[] zeroed(byte[] page, int from, int to) {
      Arrays.fill(page, from, to, (byte) 0);
      return page;
    }

    private static byte[] copied(byte[] source, byte[] page, int from, int to) {
      System.arraycopy(source, from, page, from, to - from);
      return page;
    }
  }

  @Before
  public void start() throws Exception {
    // No page comes from memory; damage takes the SSD down for a moment.
    cluster = LocalCacheCluster.builder().set(LocalCacheKeys.MEMORY_SIZE, 0)
        .set(TestingConfig.PROBE_INTERVAL, "100ms").start();
    bytes = cluster.write(FILE, PAGES * PAGE);
    cluster.awaitHit(FILE, bytes);
  }

  @After
  public void noReplicaIsBlamed() throws Exception {
    assertEquals("replicas reported", 0,
        cluster.mini().getNamesystem().getCorruptReplicaBlocks());
  }

  private Path page(int number) throws IOException {
    return cluster.pageFiles(cluster.block(FILE)).stream()
        .filter(path -> path.endsWith(String.valueOf(number))).findFirst().orElseThrow();
  }

  /** Damages a page's file. @param other another page of the block, as it was */
  private static void damage(Damage damage, Path page, byte[] other) throws IOException {
    byte[] sound = Files.readAllBytes(page);
    byte[] damaged = damage.change.apply(sound.clone(), other, older(page, sound));
    if (damaged == null) {
      Files.delete(page);
      return;
    }
    try (RandomAccessFile file = new RandomAccessFile(page.toFile(), "rw")) {
      file.write(damaged);
      file.setLength(damaged.length);
    }
  }

  /** @return a page as of the block's previous stamp: other bytes, and consistent. */
  private static byte[] older(Path file, byte[] page) {
    PageTrailer.Origin origin = PageTrailer.read(
        ByteBuffer.wrap(page, page.length - PageTrailer.LENGTH, PageTrailer.LENGTH));
    String name = file.getParent().getFileName().toString();
    ReplicaSnapshot before = new ReplicaSnapshot(
        new BlockKey(ReplicaIdentity.blockOf(name).blockPoolId(), origin.blockId()),
        origin.generationStamp() - 1, origin.blockLength());
    PageLayout layout = new PageLayout(PAGE, origin.checksum(), origin.blockLength());
    byte[] older = LocalCacheCluster.bytes(Arrays.hashCode(page), page.length);
    DataChecksum checksum = layout.newChecksum();
    checksum.calculateChunkedSums(older, 0, PAGE, older, PAGE);
    PageTrailer.write(ByteBuffer.wrap(older, PAGE, layout.tailLength()).slice(), before,
        ReplicaIdentity.inName(name).fileId(before), layout,
        Integer.parseInt(file.getFileName().toString()), 0);
    return older;
  }

  @Test
  public void damagedWhileTheDataNodeRuns_isDroppedAndFilledAgain() throws Exception {
    for (Damage damage : Damage.values()) {
      damage(damage, page(3), Files.readAllBytes(page(7)));
      long dropped = cluster.metrics(0).total(Event.DAMAGED_PAGES);
      assertArrayEquals(damage.toString(), bytes, cluster.read(FILE));
      assertEquals(damage.toString(), 1,
          cluster.metrics(0).total(Event.DAMAGED_PAGES) - dropped);
      cluster.awaitHit(FILE, bytes);
    }
  }

  @Test
  public void damagedPage_isLoggedWithItsSsd() throws Exception {
    Path ssd = cluster.cache(0).directories().all().get(0).path();
    try (LoggedLines log = new LoggedLines()) {
      damage(Damage.DATA_BIT, page(3), null);
      assertArrayEquals(bytes, cluster.read(FILE));
      assertTrue(log.lines().toString(), log.lines().stream().anyMatch(
          line -> line.contains("PAGE_READ failed (DAMAGED) on " + ssd + ": ")));
    }
  }

  @Test
  public void damagedWhileTheDataNodeIsDown_rightBytesAfterwards() throws Exception {
    Path[] pages = new Path[PAGES];
    for (int i = 0; i < PAGES; i++) {
      pages[i] = page(i);
    }
    DataNodeProperties stopped = cluster.mini().stopDataNode(0);
    for (Damage damage : Damage.values()) {
      int number = damage.ordinal();
      damage(damage, pages[number], Files.readAllBytes(pages[number + 1]));
    }
    cluster.start(stopped);
    assertArrayEquals(bytes, cluster.read(FILE));
    assertTrue(cluster.metrics(0).total(Event.DAMAGED_PAGES) > 0);
    cluster.awaitHit(FILE, bytes);
  }
}
