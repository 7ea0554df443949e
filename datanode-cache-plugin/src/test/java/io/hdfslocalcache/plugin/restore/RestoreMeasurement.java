/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.restore;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.read.SnapshotReader;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.DataChecksum;

/**
 * Measures how long a warm restart takes, how soon hits are served, and how much heap a page costs.
 * Makes page files of 4 KB of zeros, which take 4 KB on the disk each, and leaves them there for the
 * next run.
 *
 * <pre>
 *   java -Xmx2g -cp &lt;test class path of this module&gt; \
 *       io.hdfslocalcache.plugin.restore.RestoreMeasurement DIRECTORY PAGES PAGES_PER_BLOCK SSDS
 * </pre>
 */
public final class RestoreMeasurement {

  private static final int PAGE = 4096;
  private static final String POOL = "BP-1018433187-10.20.30.40-1700000000000";
  private static final String UUID = "dn-uuid";
  private static final DataChecksum CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  private final Path directory;
  private final int blocks;
  private final int pagesPerBlock;
  private final LocalCacheConfig config;
  private final Map<Thread, Long> cpu = new HashMap<>();
  private List<Thread> restorers;

  private RestoreMeasurement(Path directory, int pages, int pagesPerBlock, int ssds)
      throws IOException {
    this.directory = directory;
    this.blocks = pages / pagesPerBlock;
    this.pagesPerBlock = pagesPerBlock;
    StringBuilder names = new StringBuilder();
    for (int ssd = 0; ssd < ssds; ssd++) {
      names.append(ssd == 0 ? "" : ",").append(directory.resolve("ssd" + ssd));
    }
    Configuration conf = new Configuration(false);
    conf.setBoolean(LocalCacheKeys.REQUIRE_MOUNT, false);
    conf.set(LocalCacheKeys.DIRECTORIES, names.toString());
    // One SSD has room for all pages with checksums; the capacities must fit on the disk.
    conf.setLong(LocalCacheKeys.CAPACITY, 2L * PAGE * pages);
    conf.set(LocalCacheKeys.RESERVED, "0");
    // A busy machine must not look like a sick SSD.
    conf.set(LocalCacheKeys.IO_DEADLINE, "60s");
    conf.setInt(LocalCacheKeys.PAGE_SIZE, PAGE);
    config = TestingConfig.from(conf);
  }

  public static void main(String[] args) throws Exception {
    if (args.length != 4) {
      System.err.println("expected: DIRECTORY PAGES PAGES_PER_BLOCK SSDS");
      System.exit(1);
    }
    new RestoreMeasurement(Path.of(args[0]).toAbsolutePath(), Integer.parseInt(args[1]),
        Integer.parseInt(args[2]), Integer.parseInt(args[3])).run();
  }

  private ReplicaSnapshot snapshot(int block) {
    return new ReplicaSnapshot(
        new BlockKey(POOL, 1073741825L + block), 1001 + block, (long) pagesPerBlock * PAGE);
  }

  /** A DataNode that has every replica that it is asked for. */
  private LocalCache open() throws IOException {
    MemoryDataNode dataNode = new MemoryDataNode() {
      @Override
      public boolean isCurrent(ReplicaSnapshot snapshot) {
        return true;
      }
    };
    dataNode.identity = ReplicaIdentity.NONE;
    return dataNode.open(config);
  }

  private void run() throws Exception {
    try (LocalCache cache = open()) {
      if (Files.notExists(directory.resolve("made"))) {
        while (cache.restore().isInProgress()) {
          // It would take a new block's empty directory for a leftover one.
          Thread.sleep(1);
        }
        make(cache);
        Files.createFile(directory.resolve("made"));
      }
    }
    System.gc();
    long heapBefore = heap();
    long begin = System.nanoTime();
    try (LocalCache cache = open()) {
      System.out.printf("opened after %d ms%n", millisSince(begin));
      cache.blockPoolReady(POOL, () -> 1);
      long hits = 0;
      long misses = 0;
      long firstHit = -1;
      long slowest = 0;
      while (cache.restore().isInProgress()) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        noteCpu();
        long started = System.nanoTime();
        if (readPage(cache)) {
          hits++;
          slowest = Math.max(slowest, System.nanoTime() - started);
          firstHit = firstHit < 0 ? millisSince(begin) : firstHit;
        } else {
          misses++;
        }
      }
      System.out.printf("restored %,d pages of %,d blocks in %,d ms; first hit after %,d ms; "
          + "meanwhile %,d hits, %,d misses, slowest hit %.1f ms%n", cache.index().pages(),
          cache.index().blocks(), cache.restore().millis(), firstHit, hits, misses, slowest / 1e6);
      System.out.printf("the restoring threads used %.1f s of CPU%n",
          cpu.values().stream().mapToLong(nanos -> nanos).sum() / 1e9);
      System.gc();
      System.out.printf("heap: %.0f bytes per page%n",
          (heap() - heapBefore) / (double) cache.index().pages());
      begin = System.nanoTime();
    }
    System.out.printf("closed in %,d ms%n", millisSince(begin));
  }

  private void noteCpu() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (restorers == null) {
      restorers = Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("local-cache-restore-")).toList();
    }
    for (Thread thread : restorers) {
      cpu.merge(thread, threads.getThreadCpuTime(thread.getId()), Math::max);
    }
  }

  private boolean readPage(LocalCache cache) throws IOException {
    ReplicaSnapshot snapshot = snapshot(ThreadLocalRandom.current().nextInt(blocks));
    long offset = ThreadLocalRandom.current().nextInt(pagesPerBlock) * (long) PAGE;
    ClientRead read = cache.read(
        "client", null, snapshot, snapshot.generationStamp(), null, offset, PAGE);
    try {
      SnapshotReader reader = read.reader().orElse(null);
      if (reader == null) {
        return false;
      }
      byte[] bytes = new byte[PAGE];
      reader.seek(offset);
      reader.readData(bytes, 0, PAGE);
      return true;
    } finally {
      read.finish(offset);
    }
  }

  private void make(LocalCache cache) throws IOException {
    long begin = System.nanoTime();
    for (int block = 0; block < blocks; block++) {
      ReplicaSnapshot snapshot = snapshot(block);
      PageLayout layout = new PageLayout(PAGE, CHECKSUM, snapshot.length());
      String fileId = ReplicaIdentity.NONE.fileId(snapshot);
      Path folder = cache.directories().of(snapshot.key()).path().resolve(UUID)
          .resolve("LOCAL/" + PAGE + "/" + Math.floorMod(fileId.hashCode(), 1000) + "/" + fileId);
      Files.createDirectories(folder);
      for (int page = 0; page < pagesPerBlock; page++) {
        PageSlice slice = PageSlice.whole(layout, page);
        ByteBuffer content = ByteBuffer.allocate(slice.bufferLength());
        for (int part = 0; part < layout.parts(page); part++) {
          CHECKSUM.calculateChunkedSums(slice.data(content).slice(layout.partStart(part),
              layout.partEnd(page, part) - layout.partStart(part)), slice.tail(content, part));
          slice.seal(content, part, snapshot, fileId);
        }
        try (FileChannel file = FileChannel.open(folder.resolve(String.valueOf(page)),
            StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
          file.write(content.position(PAGE), PAGE);
        }
      }
    }
    System.out.printf("made %,d pages in %,d ms%n", blocks * pagesPerBlock, millisSince(begin));
  }

  private static long heap() {
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
