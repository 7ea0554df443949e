/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.read.SnapshotReader;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.ssd.KeptState;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.ratelimit.AdmitAll;
import io.hdfslocalcache.ratelimit.SafeRateLimiter;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The rate limiter is told of evicted pages and of reads, and of no others. */
public class TestEvictionsAndLimiter implements ReplicaAccess {

  private static final int PAGE = TestingSsd.PAGE;
  private static final int PAGES = 8;
  private static final long CAPACITY = PAGES * 2 * PAGE;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private final Queue<String> evicted = new ConcurrentLinkedQueue<>();
  private TestingReplica replica;
  private TestingReplica other;
  private boolean isDeleted;

  /** Admits all, keeps what is evicted, and fails afterwards. */
  private final class EvictionsKept extends AdmitAll {
    EvictionsKept() {
      super(null, null);
    }

    @Override
    public void evicted(String blockPoolId, long blockId, int page) {
      evicted.add(blockPoolId + "/" + blockId + "/" + page);
      throw new IllegalStateException("a bug");
    }
  }

  @Override
  public boolean isCurrent(ReplicaSnapshot snapshot) {
    return !isDeleted || !snapshot.equals(other.snapshot());
  }

  @Override
  public String volumeOf(BlockKey key) {
    return "volume";
  }

  @Override
  public ReplicaIdentity identity(ReplicaSnapshot snapshot) {
    return TestingReplica.IDENTITY;
  }

  @Override
  public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
    return (snapshot.equals(replica.snapshot()) ? replica : other).open();
  }

  @Override
  public ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
      throws IOException {
    return open(snapshot);
  }

  private static void read(LocalCache cache, TestingReplica of, int page) throws IOException {
    ClientRead read = cache.read("test", null, of.snapshot(),
        of.snapshot().generationStamp(), null, page * PAGE, PAGE);
    SnapshotReader reader = read.reader().orElseThrow();
    reader.seek(page * PAGE);
    reader.readData(new byte[PAGE], 0, PAGE);
    reader.close();
    read.finish((page + 1) * PAGE);
    LocalCacheCluster.await("fills", () -> !cache.isFilling());
  }

  /** The DataNode refuses them: nobody reads the block. */
  @Test
  public void readsBeyondTheBlock_limiterIsToldOfNone() throws Exception {
    Path root = folder.getRoot().toPath().toRealPath();
    replica = TestingReplica.create(root, 1, PAGES * PAGE);
    List<Long> recorded = new ArrayList<>();
    AdmitAll limiter = new AdmitAll(null, null) {
      @Override
      public void record(String blockPoolId, long blockId, long from, long bytes) {
        recorded.add(from);
      }
    };
    try (LocalCache cache = new LocalCache(TestingSsd.config(CAPACITY, root.resolve("ssd")),
        new OnOff(true, true, metrics), limiter, this, metrics, "dn-uuid", message -> { },
        RuleKeeper.none(), KeptState.nowhere())) {
      for (long from : new long[] {-1, PAGES * PAGE + 1, Long.MAX_VALUE}) {
        cache.read("test", null, replica.snapshot(), replica.snapshot().generationStamp(), null,
            from, 1).finish(from);
      }
      read(cache, replica, 3);
    }
    assertEquals(List.of(3L * PAGE), recorded);
  }

  @Test
  public void pagesLeaveForOthers_limiterIsToldWhich_deletedOnesAreNotEvicted() throws Exception {
    Path root = folder.getRoot().toPath().toRealPath();
    replica = TestingReplica.create(root, 1, PAGES * PAGE);
    other = TestingReplica.create(root, 2, PAGES * PAGE);
    AtomicInteger errors = new AtomicInteger();
    SafeRateLimiter limiter = new SafeRateLimiter(
        new EvictionsKept(), () -> 0, error -> errors.incrementAndGet());
    try (LocalCache cache = new LocalCache(TestingSsd.config(CAPACITY, root.resolve("ssd")),
        new OnOff(true, true, metrics), limiter, this, metrics, "dn-uuid", message -> { },
        RuleKeeper.none(), KeptState.nowhere())) {
      for (int page = 0; page < PAGES; page++) {
        read(cache, replica, page);
      }
      assertEquals(PAGES, cache.index().cached(replica.snapshot().key()).pages());
      assertEquals("no page had to leave", 0, evicted.size());
      read(cache, other, 0);
      assertTrue(evicted.toString(),
          evicted.contains(replica.snapshot().key().blockPoolId() + "/1/0"));
      assertEquals(metrics.total(Event.EVICTIONS), evicted.size());
      long before = evicted.size();
      isDeleted = true;
      cache.changes().replicaChanged(other.snapshot().key(), null, false, other::open, "deleted");
      LocalCacheCluster.await("removals", () -> cache.changes().isIdle());
      assertEquals(before, evicted.size());
      assertEquals("what the limiter throws stays with it", before, errors.get());
    }
  }
}
