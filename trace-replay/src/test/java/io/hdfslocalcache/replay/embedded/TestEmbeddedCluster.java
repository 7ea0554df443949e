/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import java.nio.file.Path;
import java.util.Map;

import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

/** What the embedded DataNode is told. */
public class TestEmbeddedCluster {

  private static final Path DIRECTORY = Path.of("/work");
  private static final long CAPACITY = 64L << 20;

  private static Configuration configuration(Map<String, String> keys, double rate) {
    return EmbeddedCluster.configuration(new EmbeddedCluster.Settings(
        DIRECTORY, DIRECTORY.resolve("ssd"), CAPACITY, 4L << 20, keys, rate));
  }

  @Test
  public void configuration_isOneThatADataNodeTakes() throws Exception {
    LocalCacheConfig config = LocalCacheConfig.from(
        configuration(Map.of(LocalCacheKeys.PAGE_SIZE, "512k"), 1));
    assertEquals("a key that is given", 512 << 10, config.pageSize());
    assertEquals(DIRECTORY.resolve("ssd"), config.directories().get(0));
  }

  @Test
  public void aTraceThatIsReplayedFaster_hasALimiterWithItsTime() {
    assertSame(TraceTimeRateLimiter.Budget.class,
        configuration(Map.of(), 60).getClass(RateLimiterFactory.CLASS_KEY, null));
    Configuration conf = configuration(Map.of(BucketTimeRateLimit.WINDOW_KEY, "10m"), 60);
    assertSame(TraceTimeRateLimiter.Threshold.class,
        conf.getClass(RateLimiterFactory.CLASS_KEY, null));
    assertEquals("10m", conf.get(BucketTimeRateLimit.WINDOW_KEY));
    assertEquals(60, conf.getDouble(TraceTimeRateLimiter.RATE_KEY, 0), 0);
  }
}
