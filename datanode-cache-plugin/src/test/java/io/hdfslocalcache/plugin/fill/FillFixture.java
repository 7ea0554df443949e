/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** A replica, an SSD, and a local cache around what fills, that admits all but what is refused. */
public abstract class FillFixture implements FillDecisions {

  static final String VOLUME = "volume";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  final LocalCacheMetrics metrics = new LocalCacheMetrics();
  final VolumeWaits waits = new VolumeWaits();
  /** The pages that were asked about, and -1 for the block. */
  final List<Integer> asked = new ArrayList<>();
  final Set<Integer> refused = new HashSet<>();
  final AtomicLong written = new AtomicLong();
  volatile boolean mayFill = true;
  Path root;
  TestingSsd ssd;
  TestingReplica replica;
  TestingReplicas replicas;

  /** From now on, the OS page cache answers for the volume. */
  void useMemory() {
    for (int i = 0; i < 100; i++) {
      waits.read(VOLUME, 64 << 10, 30_000);
    }
  }

  /** From now on, reads wait for the volume. */
  void useBusyDisk() {
    for (int i = 0; i < 100; i++) {
      waits.read(VOLUME, 64 << 10, 200_000_000);
    }
  }

  @Override
  public boolean mayFill(BlockKey key) {
    return mayFill;
  }

  @Override
  public synchronized boolean admits(BlockKey key, RuleAccount rule) {
    asked.add(-1);
    return !refused.contains(-1);
  }

  @Override
  public synchronized boolean admits(BlockKey key, RuleAccount rule, int page) {
    asked.add(page);
    return !refused.contains(page);
  }

  @Override
  public void killed(CachedBlock block, String why) {
    ssd.directory().pages().removeBlock(block.fileId());
  }

  @Override
  public boolean reserve(RuleAccount rule, SsdDirectory directory, long bytes) {
    throw new AssertionError("there is no rule");
  }

  @Override
  public void release(RuleAccount rule, long bytes) {
    throw new AssertionError("there is no rule");
  }

  @Override
  public void writing(long bytes) {
    written.addAndGet(bytes);
  }
}
