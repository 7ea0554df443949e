/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.replay.demo.Demo.DemoOptions;
import io.hdfslocalcache.replay.operator.DataNodeMetrics;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * What the steps after the reading share.
 *
 * @param hdfs a client
 * @param reader reads through that client
 * @param metrics the DataNode's figures
 * @param pages the pages on the SSD
 * @param progress what the user sees
 * @param directory for files that are gone after the demo
 * @param readsToAdmit reads after which a block is admitted
 */
record DemoContext(DistributedFileSystem hdfs, VerifyingReader reader, DataNodeMetrics metrics,
    PagesOnSsd pages, Progress progress, Path directory, int readsToAdmit) {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long POLL_MS = 20;

  /** @return the blocks of a file with the generation stamps that they have now. */
  List<LocatedBlock> blocks(SourceFile file) throws IOException {
    return hdfs.getClient().getLocatedBlocks(file.inHdfs(), 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  /** Reads a block, as one positioned read of the file. */
  void read(SourceFile file, LocatedBlock block) throws IOException {
    reader.readRange(file, block.getStartOffset(), Math.toIntExact(block.getBlockSize()));
  }

  /** Reads a block as often as it takes until all its pages are on the SSD. */
  void readUntilCached(SourceFile file, LocatedBlock block) throws IOException {
    long wanted = (block.getBlockSize() + DemoOptions.PAGE - 1) / DemoOptions.PAGE;
    for (int i = 0; i < readsToAdmit; i++) {
      read(file, block);
    }
    await("the pages of " + block.getBlock() + " on the SSD", () -> {
      boolean cached = pages.count(block.getBlock()) == wanted;
      if (!cached) {
        read(file, block);
      }
      return cached;
    });
  }

  /** Waits until a block's pages are gone. @return milliseconds that it took. */
  long awaitNoPages(List<ExtendedBlock> blocks) throws IOException {
    long began = System.nanoTime();
    await("the end of the pages of " + blocks, () -> pages.count(blocks) == 0);
    return Duration.ofNanos(System.nanoTime() - began).toMillis();
  }

  private static void await(String what, Wait.Condition condition) throws IOException {
    expect(Wait.until(condition, PATIENCE, POLL_MS), "waited in vain for " + what);
  }

  /** Throws IOException with the message if what the local cache promises is not so. */
  static void expect(boolean isSo, String otherwise) throws IOException {
    if (!isSo) {
      throw new IOException(otherwise);
    }
  }
}
