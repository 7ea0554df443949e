/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.admin.BlockStatus.Warming;
import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.SsdChanges;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.Test;

/** What {@code warm} says of SSDs that are busy, or take no more pages. */
public class TestBusySsd {

  private static final long MILLIS = TimeUnit.MILLISECONDS.toNanos(1);

  @Test
  public void warm_busySsd_fillsAllTheSame() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder().threshold(0).start()) {
      cluster.write("/f", 3 * LocalCacheCluster.PAGE);
      BlockKey key = LocalCacheCluster.key(cluster.block("/f"));
      SsdHealth health = cluster.cache(0).directories().all().get(0).io().health();
      for (int reads = 0; reads < 100; reads++) {
        health.readTook(900 * MILLIS, MILLIS, 32);
      }
      health.overdrawn(MILLIS);
      assertEquals("busy: a read waits 900 ms for others and takes 1 ms", health.reason());
      LocalCacheView view = cluster.view(0);
      assertEquals("what decides", "it has to be read more than 0 times within 10 min",
          view.block(key).why());
      LocalCacheCluster.await("a warm block", () -> {
        Warming warming = view.warm(key);
        assertEquals("", warming.why());
        return warming.state() == Warming.State.CACHED;
      });
    }
  }

  @Test
  public void warm_degradedSsd_blockWhosePagesAreAllThereIsCachedUntilItIsDrained() throws Exception {
    try (LocalCacheCluster cluster = LocalCacheCluster.builder().start()) {
      cluster.write("/there", LocalCacheCluster.PAGE);
      cluster.write("/missing", LocalCacheCluster.PAGE);
      cluster.readUntilCached("/there");
      SsdHealth health = cluster.cache(0).directories().all().get(0).io().health();
      for (int writes = 0; writes < 3; writes++) {
        health.failed(Operation.PAGE_WRITE, new IOException("Input/output error"));
      }
      assertEquals(SsdState.DEGRADED, health.state());
      LocalCacheView view = cluster.view(0);
      assertEquals(Warming.State.CACHED,
          view.warm(LocalCacheCluster.key(cluster.block("/there"))).state());
      assertEquals(Warming.State.REFUSED,
          view.warm(LocalCacheCluster.key(cluster.block("/missing"))).state());
      new SsdChanges(cluster.cache(0).directories())
          .drain(cluster.cache(0).directories().all().get(0).path());
      assertEquals(Warming.State.REFUSED,
          view.warm(LocalCacheCluster.key(cluster.block("/there"))).state());
    }
  }
}
