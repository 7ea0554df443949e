/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.fetch.PageFetches;
import io.hdfslocalcache.plugin.health.HealthLimits;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.util.DataChecksum;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The local cache's index, page store and memory tier, with one block of 256 pages of 1 MiB: all of
 * them are on the SSD, and all of them are in memory.
 */
@State(Scope.Benchmark)
public class Pages {

  static final int PAGE = 1 << 20;
  static final int COUNT = 256;

  private static final Path TMPFS = Path.of("/dev/shm");
  private static final HealthLimits LIMITS =
      new HealthLimits(TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(1));

  private final BlockIndex index = new BlockIndex();
  private final BufferPool buffers = BufferPool.ofJvm(PAGE);
  private final MemoryTier memory = tier(2L * COUNT * PAGE);
  /** Moves nothing into memory: what is fetched comes from the SSD each time. */
  private final PageFetches fetches = new PageFetches(buffers, tier(0));
  private Path root;
  private SsdDirectory directory;
  private CachedBlock block;

  private MemoryTier tier(long bytes) {
    return new MemoryTier(
        new MemoryLimits(TMPFS, bytes, 2 * COUNT), PAGE, buffers, System::nanoTime);
  }

  /** Fills the pages. */
  @Setup
  public void fill() throws IOException {
    root = Files.createTempDirectory("bench-store");
    SsdHealth health = new SsdHealth(LIMITS, System::nanoTime, (before, now, reason) -> { });
    directory = SsdDirectory.open(root, "bench",
        new SsdDirectory.Limits(2L * COUNT * PAGE, 0, PAGE), false,
        new SsdIo("bench", 1, LIMITS, health), new IndexListener(index));
    PageLayout layout = new PageLayout(PAGE,
        DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512), (long) COUNT * PAGE);
    block = index.register(new ReplicaSnapshot(new BlockKey("BP-1", 1), 1, (long) COUNT * PAGE),
        layout).block();
    memory.setOpen(true);
    for (int page = 0; page < COUNT; page++) {
      fill(layout, page);
    }
  }

  private void fill(PageLayout layout, int page) throws IOException {
    PageSlice slice = PageSlice.whole(layout, page);
    try (BufferPool.Buffer buffer = buffers.take(slice.bufferLength())) {
      ByteBuffer content = buffer.bytes();
      DataChecksum checksum = layout.newChecksum();
      for (int part = 0; part < layout.parts(page); part++) {
        int from = layout.partStart(part);
        checksum.calculateChunkedSums(
            slice.data(content).slice(from, layout.partEnd(page, part) - from),
            slice.tail(content, part));
        slice.seal(content, part, block.snapshot());
      }
      directory.pages().prepare(block, slice, content);
      if (!directory.pages().publish(block, slice, content, null)) {
        throw new IOException("page " + page + " was not taken");
      }
      if (!memory.enter(block, page, slice.parts(), content)) {
        throw new IOException("page " + page + " was not taken into memory");
      }
    }
  }

  SsdDirectory directory() {
    return directory;
  }

  MemoryTier memory() {
    return memory;
  }

  PageFetches fetches() {
    return fetches;
  }

  CachedBlock block() {
    return block;
  }

  BlockIndex index() {
    return index;
  }

  /** Deletes the pages. */
  @TearDown
  public void delete() throws IOException {
    memory.close();
    directory.close();
    FileUtil.fullyDelete(root.toFile());
  }
}
