/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.IOUtils;
import org.junit.After;
import org.junit.Test;

/** A dry run counts what the local cache does on the same reads, to the page. */
public class TestDryRunAgainstReal {

  private static final int BLOCK = 256 << 10;
  private static final int FILES = 12;
  private static final int OPERATIONS = 150;
  /** The other events depend on time, on health, or on memory. */
  private static final Set<Event> COUNTED = EnumSet.of(Event.BYTES_HIT, Event.BYTES_MISS,
      Event.BYTES_BYPASS, Event.FILLS, Event.FILL_BYTES, Event.FILL_WRITTEN_BYTES,
      Event.FILLS_DROPPED_QUEUE_FULL, Event.FILLS_DROPPED_STALE, Event.FILLS_DROPPED_UNSUPPORTED,
      Event.FILLS_DROPPED_NOT_PUBLISHED, Event.EVICTIONS, Event.EVICTED_WITHOUT_READ,
      Event.INVALIDATED_BLOCKS, Event.INVALIDATED_PAGES);

  private final long seed = Long.getLong("dryrun.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private LocalCacheCluster real;
  private LocalCacheCluster dry;
  private List<LocalCacheCluster> both;

  /** Starts two clusters that differ in nothing but the dry run. */
  private void start(UnaryOperator<LocalCacheCluster.Builder> settings) throws IOException {
    System.out.println("seed " + seed);
    // 76 page files of 20 KB on each SSD. Fills one after the other: otherwise two blocks of one
    // read enter, and later leave, in any order.
    Supplier<LocalCacheCluster.Builder> builder = () -> settings.apply(LocalCacheCluster.builder()
        .blockSize(BLOCK).threshold(1).storageTypes(StorageType.DISK)
        .set(TestingConfig.FILL_THREADS, 1).set(LocalCacheKeys.CAPACITY, 76 * 20_480));
    real = builder.get().start();
    dry = builder.get().set(LocalCacheKeys.DRY_RUN, true).start();
    both = List.of(real, dry);
  }

  @After
  public void stop() {
    IOUtils.cleanupWithLogger(null, dry, real);
  }

  private static Map<String, Long> counted(LocalCacheMetrics metrics) {
    Map<String, Long> counted = new TreeMap<>();
    for (ReadOutcome outcome : ReadOutcome.values()) {
      counted.put(outcome.metric(), metrics.reads(outcome));
    }
    for (Event event : COUNTED) {
      counted.put(event.metric(), metrics.total(event));
    }
    counted.put("Errors", metrics.errors());
    return counted;
  }

  private void assertSame(String after) {
    both.forEach(LocalCacheCluster::settle);
    String[] last = new String[2];
    try {
      LocalCacheCluster.await("equal counts", () -> {
        last[0] = state(real).toString();
        last[1] = state(dry).toString();
        return last[0].equals(last[1]);
      });
    } catch (AssertionError e) {
      assertEquals("seed " + seed + ", after " + after, last[0].replace(", ", "\n"),
          last[1].replace(", ", "\n"));
      throw e;
    }
  }

  private static Map<String, Long> state(LocalCacheCluster cluster) {
    Map<String, Long> state = counted(cluster.metrics(0));
    state.put("Pages", cluster.cache(0).index().pages());
    state.put("Blocks", cluster.cache(0).index().blocks());
    state.put("UsedBytes", cluster.cache(0).directories().all().stream()
        .mapToLong(SsdDirectory::usedBytes).sum());
    state.put("WrittenBytes", cluster.cache(0).directories().reports().stream()
        .mapToLong(ssd -> ssd.wear().writtenBytes()).sum());
    return state;
  }

  private String path() {
    // Half of the reads go to three files.
    return "/file" + (random.nextBoolean() ? random.nextInt(3) : random.nextInt(FILES));
  }

  private void readSome(String path, byte[] content) throws IOException {
    boolean whole = random.nextInt(3) == 0 || content.length == 0;
    int offset = whole ? 0 : random.nextInt(content.length);
    int length = whole ? content.length
        : 1 + random.nextInt(Math.min(content.length - offset, 100_000));
    for (LocalCacheCluster cluster : both) {
      byte[] read = whole ? cluster.read(path) : cluster.pread(path, offset, length);
      assertArrayEquals(path, Arrays.copyOfRange(content, offset, offset + length), read);
    }
  }

  private byte[] write(String path, int length) throws IOException {
    byte[] content = real.write(path, length);
    assertArrayEquals(content, dry.write(path, length));
    return content;
  }

  private byte[] append(String path, byte[] content, int length) throws IOException {
    byte[] more = real.append(path, length);
    assertArrayEquals(more, dry.append(path, length));
    byte[] longer = Arrays.copyOf(content, content.length + length);
    System.arraycopy(more, 0, longer, content.length, length);
    return longer;
  }

  private void delete(String path) throws IOException {
    for (LocalCacheCluster cluster : both) {
      List<LocatedBlock> blocks = cluster.blocks(path);
      cluster.fs().delete(new Path(path), false);
      for (LocatedBlock block : blocks) {
        cluster.awaitNoPages(0, block.getBlock());
      }
    }
  }

  @Test
  public void readsAndChanges_roomForAll_equalHitsAndFills() throws Exception {
    start(builder -> builder.ssds(2).set(LocalCacheKeys.CAPACITY, "64m"));
    readAndChange(this::assertSame);
    assertEquals(0, real.metrics(0).total(Event.EVICTIONS));
  }

  /** Fills end while their read still reads other pages, so the oldest page varies. */
  @Test
  public void readsAndChanges_littleRoom_nearlyEqualHitsFillsAndEvictions() throws Exception {
    // Room for 60 of about 200 pages.
    start(builder -> builder.blockSize(2 << 20).set(LocalCacheKeys.CAPACITY, 60 * 20_480));
    readAndChange(after -> both.forEach(LocalCacheCluster::settle));
    assertTrue(real.metrics(0).total(Event.EVICTIONS) > 0);
    for (Event event : List.of(Event.BYTES_HIT, Event.FILLS, Event.EVICTIONS)) {
      assertEquals("seed " + seed + ", " + event, 1.0,
          (double) dry.metrics(0).total(event) / real.metrics(0).total(event), 0.15);
    }
  }

  private void readAndChange(Consumer<String> check) throws Exception {
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < OPERATIONS; i++) {
      String path = path();
      byte[] content = files.get(path);
      int kind = random.nextInt(20);
      if (content == null) {
        content = write(path, random.nextInt(500_000));
      } else if (kind == 0) {
        content = append(path, content, 1 + random.nextInt(50_000));
        // Old pages are evicted in the background; fills of the next read would interfere.
        check.accept("an append to " + path);
      } else if (kind == 1) {
        delete(path);
        content = null;
      }
      files.put(path, content);
      if (content != null) {
        readSome(path, content);
      }
      check.accept(i + " operations, the last on " + path);
    }
    assertTrue(real.reads(ReadOutcome.HIT) > 0);
    assertTrue(real.reads(ReadOutcome.PARTIAL_HIT) > 0);
  }

  @Test
  public void pageThatNoReadUses_evicted_isCounted() throws Exception {
    start(builder -> builder.threshold(0));
    // Two of its pages are read again. They leave late, but they do: 192 other pages follow.
    write("/used", BLOCK);
    for (LocalCacheCluster cluster : both) {
      cluster.readUntilCached("/used");
      cluster.pread("/used", 0, 2 * LocalCacheCluster.PAGE);
    }
    for (int i = 0; i < 12; i++) {
      write("/once" + i, BLOCK);
      for (LocalCacheCluster cluster : both) {
        cluster.readUntilCached("/once" + i);
      }
    }
    assertSame("reads");
    assertEquals(208 - 76, dry.metrics(0).total(Event.EVICTIONS));
    assertEquals(208 - 76 - 2, dry.metrics(0).total(Event.EVICTED_WITHOUT_READ));
  }

  @Test
  public void off_readsAreCountedAsBypasses_onTheyGoOn() throws Exception {
    start(builder -> builder.threshold(0));
    byte[] content = write("/file", BLOCK);
    for (boolean isOn : new boolean[] {true, false, true}) {
      both.forEach(cluster -> cluster.interceptor(0).onOff().setOn(isOn, "test"));
      for (LocalCacheCluster cluster : both) {
        assertArrayEquals(content, cluster.read("/file"));
      }
      assertSame("a read while " + (isOn ? "on" : "off"));
    }
    assertEquals(1, dry.reads(ReadOutcome.BYPASS_OFF));
    assertEquals(1, dry.reads(ReadOutcome.HIT));
  }

  /** The same command reduces the capacity, and pages are evicted. */
  @Test
  public void set_lessCapacity_pagesLeave() throws Exception {
    start(builder -> builder.threshold(0));
    byte[] content = write("/file", BLOCK);
    for (LocalCacheCluster cluster : both) {
      assertArrayEquals(content, cluster.readUntilCached("/file"));
    }
    for (LocalCacheCluster cluster : both) {
      cluster.view(0).set(LocalCacheKeys.CAPACITY, "262144", false);
      LocalCacheCluster.await("12 pages are left", () -> cluster.cache(0).index().pages() == 12);
    }
    assertThrows(IllegalArgumentException.class,
        () -> dry.view(0).set(LocalCacheKeys.CAPACITY, "80%", false));
  }
}
