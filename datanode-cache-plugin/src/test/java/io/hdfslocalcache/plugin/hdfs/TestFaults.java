/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Whatever breaks in the local cache, clients get the right bytes and no replica is blamed. */
public class TestFaults extends ClusterFixture {

  private static final int LENGTH = 300_000;
  private static final int PAGE = LocalCacheCluster.PAGE;

  private byte[] bytes;

  /** Fails in every way at every call. */
  public static final class ThrowingLimiter implements CacheRateLimiter {

    public ThrowingLimiter(RateLimiterConfig config, RateLimiterClock clock) {
    }

    @Override
    public void record(String blockPoolId, long blockId, long length) {
      throw new NoClassDefFoundError("thrown by a test");
    }

    @Override
    public boolean admits(String blockPoolId, long blockId) {
      throw new IllegalStateException("thrown by a test");
    }
  }

  @Before
  public void start() throws Exception {
    start(LocalCacheCluster.builder());
    cluster.readUntilCached("/file");
    assertTrue(pages().size() > LENGTH / PAGE);
  }

  private void start(LocalCacheCluster.Builder builder) throws Exception {
    cluster = builder.start();
    bytes = cluster.write("/file", LENGTH);
  }

  @After
  public void noReplicaIsBlamed() throws Exception {
    cluster.settle();
    assertEquals("blamed replicas", 0,
        cluster.mini().getNameNode().getNamesystem().getCorruptReplicaBlocks());
  }

  private List<Path> pages() throws IOException {
    return cluster.pageFiles(cluster.block("/file"));
  }

  private void assertRightBytes() throws Exception {
    assertArrayEquals(bytes, cluster.read("/file"));
    assertArrayEquals(bytes, cluster.pread("/file", 0, LENGTH));
  }

  @Test
  public void rateLimiter_throws_nothingAdmittedRightBytes() throws Exception {
    cluster.close();
    start(LocalCacheCluster.builder()
        .set(RateLimiterFactory.CLASS_KEY, ThrowingLimiter.class.getName()));
    assertRightBytes();
    cluster.settle();
    assertEquals(0, pages().size());
    assertEquals(4, cluster.metrics(0).errors());
    assertEquals(
        Map.of("ErrorsAdmissionInternal", 4L), cluster.view(0).status().errors());
  }

  @Test
  public void localCache_throwsAtEveryTurn_rightBytes() throws Exception {
    LocalCacheInterceptor interceptor = cluster.interceptor(0);
    // Closed behind the interceptor's back: index, store, fills and removals all fail from now on.
    interceptor.cache().close();
    assertRightBytes();
    byte[] other = cluster.write("/other", LENGTH);
    assertArrayEquals(other, cluster.read("/other"));
    cluster.fs().delete(new org.apache.hadoop.fs.Path("/other"), false);
    assertRightBytes();
  }
}
