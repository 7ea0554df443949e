/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.dryrun.Ghost;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource.Directory;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.Test;

/** A ghost counts what a local cache with the same settings does, to the page. */
public class TestDryRunAgainstReal {

  private static final int BLOCK = 256 << 10;
  private static final int FILES = 12;
  private static final int OPERATIONS = 150;
  /** The others are of time, of health, or of what a ghost does not have. */
  private static final Set<Event> PLAYED_THROUGH = EnumSet.of(Event.BYTES_HIT, Event.BYTES_MISS,
      Event.BYTES_BYPASS, Event.FILLS, Event.FILL_BYTES, Event.FILL_WRITTEN_BYTES,
      Event.FILLS_DROPPED_QUEUE_FULL, Event.FILLS_DROPPED_STALE, Event.FILLS_DROPPED_UNSUPPORTED,
      Event.FILLS_DROPPED_NOT_PUBLISHED, Event.EVICTIONS, Event.EVICTED_WITHOUT_READ,
      Event.INVALIDATED_BLOCKS, Event.INVALIDATED_PAGES);

  private final long seed = Long.getLong("dryrun.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private static LocalCacheCluster.Builder cluster() {
    // 76 page files of 20 KB on each SSD. Fills one after the other: otherwise two blocks of one read
    // enter in any order, and later leave in it.
    return LocalCacheCluster.builder().blockSize(BLOCK).threshold(1)
        .storageTypes(StorageType.DISK).set(TestingConfig.FILL_THREADS, 1)
        .set(LocalCacheKeys.CAPACITY, 76 * 20_480)
        .set(LocalCacheKeys.DRY_RUN_GHOSTS, "same");
  }

  private static Map<String, Long> counted(LocalCacheMetrics metrics) {
    Map<String, Long> counted = new TreeMap<>();
    for (ReadOutcome outcome : ReadOutcome.values()) {
      counted.put(outcome.metric(), metrics.reads(outcome));
    }
    for (Event event : PLAYED_THROUGH) {
      counted.put(event.metric(), metrics.total(event));
    }
    counted.put("Errors", metrics.errors());
    return counted;
  }

  private void assertSame(LocalCacheCluster cluster, String after) {
    cluster.settle();
    String[] last = new String[2];
    try {
      LocalCacheCluster.await("equal counts", () -> {
        last[0] = real(cluster).toString();
        last[1] = played(cluster).toString();
        return last[0].equals(last[1]);
      });
    } catch (AssertionError e) {
      assertEquals("seed " + seed + ", after " + after, last[0].replace(", ", "\n"),
          last[1].replace(", ", "\n"));
      throw e;
    }
  }

  private static Map<String, Long> real(LocalCacheCluster cluster) {
    Map<String, Long> real = counted(cluster.metrics(0));
    real.put("Pages", cluster.cache(0).index().pages());
    real.put("Blocks", cluster.cache(0).index().blocks());
    real.put("UsedBytes", cluster.cache(0).directories().all().stream()
        .mapToLong(SsdDirectory::usedBytes).sum());
    return real;
  }

  private static Map<String, Long> played(LocalCacheCluster cluster) {
    Ghost ghost = cluster.interceptor(0).ghosts().all().get(0);
    Map<String, Long> played = counted(ghost.metrics());
    played.put("Pages", ghost.gauges().pages());
    played.put("Blocks", ghost.gauges().blocks());
    played.put("UsedBytes",
        ghost.gauges().directories().stream().mapToLong(Directory::usedBytes).sum());
    return played;
  }

  private String path() {
    // Half of the reads go to three files.
    return "/file" + (random.nextBoolean() ? random.nextInt(3) : random.nextInt(FILES));
  }

  private byte[] readSome(LocalCacheCluster cluster, String path, byte[] content)
      throws Exception {
    if (random.nextInt(3) == 0 || content.length == 0) {
      byte[] bytes = cluster.read(path);
      assertArrayEquals(path, content, bytes);
      return bytes;
    }
    int offset = random.nextInt(content.length);
    int length = 1 + random.nextInt(Math.min(content.length - offset, 100_000));
    byte[] bytes = cluster.pread(path, offset, length);
    assertArrayEquals(path, Arrays.copyOfRange(content, offset, offset + length), bytes);
    return bytes;
  }

  private interface Check {
    void run(LocalCacheCluster cluster, String after);
  }

  @Test
  public void readsAndChanges_roomForAll_equalHitsAndFills() throws Exception {
    System.out.println("seed " + seed);
    try (LocalCacheCluster cluster =
        cluster().set(LocalCacheKeys.CAPACITY, "64m").ssds(2).start()) {
      readAndChange(cluster, this::assertSame);
      assertEquals(0, cluster.metrics(0).total(Event.EVICTIONS));
    }
  }

  /** What a read fills comes while it still reads other pages, so which page is the oldest varies. */
  @Test
  public void readsAndChanges_littleRoom_nearlyEqualHitsFillsAndEvictions() throws Exception {
    System.out.println("seed " + seed);
    // Room for 60 of about 200 pages.
    try (LocalCacheCluster cluster = cluster().blockSize(2 << 20).ssds(2)
        .set(LocalCacheKeys.CAPACITY, 30 * 20_480).start()) {
      readAndChange(cluster, (settled, after) -> settled.settle());
      assertTrue(cluster.metrics(0).total(Event.EVICTIONS) > 0);
      Map<String, Long> real = real(cluster);
      Map<String, Long> played = played(cluster);
      for (Event event : List.of(Event.BYTES_HIT, Event.FILLS, Event.EVICTIONS)) {
        assertEquals("seed " + seed + ", " + event, 1.0,
            (double) played.get(event.metric()) / real.get(event.metric()), 0.15);
      }
    }
  }

  private void readAndChange(LocalCacheCluster cluster, Check check) throws Exception {
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < OPERATIONS; i++) {
      String path = path();
      byte[] content = files.get(path);
      int kind = random.nextInt(20);
      if (content == null) {
        content = cluster.write(path, random.nextInt(500_000));
      } else if (kind == 0) {
        byte[] more = cluster.append(path, 1 + random.nextInt(50_000));
        byte[] longer = Arrays.copyOf(content, content.length + more.length);
        System.arraycopy(more, 0, longer, content.length, more.length);
        content = longer;
        // The old pages leave in the background; fills of the next read would come between.
        check.run(cluster, "an append to " + path);
      } else if (kind == 1) {
        List<LocatedBlock> blocks = cluster.blocks(path);
        cluster.fs().delete(new Path(path), false);
        for (LocatedBlock block : blocks) {
          cluster.awaitNoPages(0, block.getBlock());
        }
        files.remove(path);
        content = null;
      }
      if (content != null) {
        files.put(path, content);
        readSome(cluster, path, content);
      }
      check.run(cluster, i + " operations, the last on " + path);
    }
    assertTrue(cluster.reads(ReadOutcome.HIT) > 0);
    assertTrue(cluster.reads(ReadOutcome.PARTIAL_HIT) > 0);
  }

  @Test
  public void pageThatNoReadUses_evicted_isCounted() throws Exception {
    try (LocalCacheCluster cluster = cluster().threshold(0).start()) {
      // Two pages of it are read again, and then 80 other pages come.
      cluster.readUntilCached(writeFile(cluster, "/used"));
      cluster.pread("/used", 0, 2 * LocalCacheCluster.PAGE);
      for (int i = 0; i < 5; i++) {
        cluster.readUntilCached(writeFile(cluster, "/once" + i));
      }
      assertSame(cluster, "reads");
      LocalCacheMetrics metrics = cluster.metrics(0);
      assertEquals(96 - 76, metrics.total(Event.EVICTIONS));
      assertEquals(96 - 76 - 2, metrics.total(Event.EVICTED_WITHOUT_READ));
    }
  }

  private static String writeFile(LocalCacheCluster cluster, String path) throws Exception {
    cluster.write(path, BLOCK);
    return path;
  }

  @Test
  public void off_ghostsOnlyCount_onTheyGoOn() throws Exception {
    try (LocalCacheCluster cluster = cluster().threshold(0).start()) {
      cluster.readUntilCached(writeFile(cluster, "/file"));
      cluster.interceptor(0).onOff().setOn(false, "test");
      cluster.read("/file");
      assertSame(cluster, "a read while off");
      assertEquals(1, cluster.reads(ReadOutcome.BYPASS_OFF));
      cluster.interceptor(0).onOff().setOn(true, "test");
      cluster.read("/file");
      assertSame(cluster, "a read while on");
      assertEquals(1, cluster.reads(ReadOutcome.HIT));
    }
  }
}
