/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.micro;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.health.HealthLimits;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.index.BlockFileId;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.util.DataChecksum;

/**
 * Measures how much heap a cached page of 1 MiB takes, all in: the page store's index, the order of
 * eviction and the index of blocks, for blocks with one page, some, and all. The page files are
 * empty but for their length, take no space, and are deleted. Give it {@code -Xmx2g
 * -XX:+UseSerialGC}, so that what is used can be told exactly.
 *
 * <pre>
 *   java ... io.hdfslocalcache.bench.micro.HeapOfPages [PAGES]
 * </pre>
 */
public final class HeapOfPages {

  private static final int PAGE = 1 << 20;
  private static final Path SSD = Path.of("/ssd");
  private static final int PAGES_BY_DEFAULT = 131_072;
  private static final int[] PAGES_PER_BLOCK = {1, 16, 128};
  private static final String POOL = "BP-1018433187-10.20.30.40-1700000000000";
  private static final ReplicaIdentity IDENTITY =
      new ReplicaIdentity(123_456_789, 1_700_000_000_123_456L, 1_048_583);
  private static final String UUID = "8d3f2c6e-0000-4000-8000-000000000000";
  private static final HealthLimits LIMITS =
      new HealthLimits(TimeUnit.MINUTES.toNanos(1), TimeUnit.SECONDS.toNanos(1));
  private static final DataChecksum CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  private final Path root;
  private final int blocks;
  private final int pagesPerBlock;
  private final BlockIndex index = new BlockIndex();

  private HeapOfPages(Path root, int pages, int pagesPerBlock) {
    this.root = root;
    this.blocks = pages / pagesPerBlock;
    this.pagesPerBlock = pagesPerBlock;
  }

  /** Prints a Markdown table. @param args the number of pages, if not 131,072 */
  public static void main(String[] args) throws IOException {
    int pages = args.length == 0 ? PAGES_BY_DEFAULT : Integer.parseInt(args[0]);
    System.out.printf("Heap of %,d pages of 1 MiB%n%n", pages);
    System.out.println("| pages in a block | bytes of heap for a page |");
    System.out.println("|--:|--:|");
    for (int pagesPerBlock : PAGES_PER_BLOCK) {
      Path root = Files.createTempDirectory("bench-store");
      try {
        System.out.printf("| %d | %.0f |%n", pagesPerBlock,
            new HeapOfPages(root, pages, pagesPerBlock).measure());
      } finally {
        FileUtil.fullyDelete(root.toFile());
      }
    }
  }

  private double measure() throws IOException {
    open(false).close();
    for (int block = 0; block < blocks; block++) {
      make(block);
    }
    // What every directory takes, however many pages it has, is measured with it.
    long before = usedHeap();
    try (SsdDirectory ssd = open(true)) {
      for (int block = 0; block < blocks; block++) {
        ReplicaSnapshot snapshot = snapshot(block);
        CachedBlock entry = index.register(snapshot, layout(), IDENTITY, SSD).block();
        ssd.restored().adopt(entry.fileId(), (event, files) -> { });
        ssd.restored().link(entry, (event, files) -> { });
      }
      if (index.pages() != blocks * pagesPerBlock) {
        throw new IOException(index.pages() + " pages were taken");
      }
      return (usedHeap() - before) / (double) index.pages();
    }
  }

  private SsdDirectory open(boolean restore) throws IOException {
    SsdHealth health = new SsdHealth(LIMITS, System::nanoTime, (was, now, reason) -> { });
    return SsdDirectory.open(root, UUID,
        new SsdDirectory.Limits(Long.MAX_VALUE / 2, 0, PAGE), restore,
        new SsdIo("bench", 1, LIMITS, health), new IndexListener(index));
  }

  private ReplicaSnapshot snapshot(int block) {
    return new ReplicaSnapshot(new BlockKey(POOL, 1073741825L + block), 1001 + block,
        (long) pagesPerBlock * PAGE);
  }

  private PageLayout layout() {
    return new PageLayout(PAGE, CHECKSUM, (long) pagesPerBlock * PAGE);
  }

  private void make(int block) throws IOException {
    String name = BlockFileId.of(snapshot(block), IDENTITY);
    Path directory = Files.createDirectories(root.resolve(UUID)
        .resolve("LOCAL/" + PAGE + "/" + Math.floorMod(name.hashCode(), 1000) + "/" + name));
    for (int page = 0; page < pagesPerBlock; page++) {
      Path path = directory.resolve(String.valueOf(page));
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        file.setLength(layout().fileLength(page));
      }
    }
  }

  private static long usedHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  /** Takes pages that come and go to an index, on an SSD on which there is room for all. */
  static final class IndexListener implements PageListener {

    private final BlockIndex index;

    IndexListener(BlockIndex index) {
      this.index = index;
    }

    @Override
    public void pageAdded(String fileId, long page, int parts) {
      index.pageAdded(SSD, fileId, page, parts);
    }

    @Override
    public void partsAdded(String fileId, long page, int parts) {
      index.partsAdded(SSD, fileId, page, parts);
    }

    @Override
    public void pageRemoved(String fileId, long page) {
      index.pageRemoved(SSD, fileId, page);
    }

    @Override
    public void pageEvicted(String fileId, long page) {
      throw new IllegalStateException("there is room for all");
    }

    @Override
    public void failed(Operation operation, IOException error) {
      throw new IllegalStateException(error);
    }
  }
}
