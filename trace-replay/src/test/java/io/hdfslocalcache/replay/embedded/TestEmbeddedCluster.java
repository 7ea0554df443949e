/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import java.nio.file.Path;

import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

/** What the embedded DataNode is told. */
public class TestEmbeddedCluster {

  private static final Path DIRECTORY = Path.of("/work");
  private static final long CAPACITY = 64L << 20;
  private static final int PAGE = 1 << 20;

  private static Configuration configuration(Integer threshold, String window, double rate) {
    return EmbeddedCluster.configuration(new EmbeddedCluster.Settings(DIRECTORY,
        DIRECTORY.resolve("ssd"), CAPACITY, PAGE, 4L << 20, threshold, window, rate));
  }

  @Test
  public void configuration_isOneThatADataNodeTakes() throws Exception {
    LocalCacheConfig config = LocalCacheConfig.from(configuration(null, null, 1));
    assertEquals(PAGE, config.pageSize());
    assertEquals(DIRECTORY.resolve("ssd"), config.directories().get(0));
  }

  @Test
  public void nothingSaid_theDefaultLimiterDecides() {
    Configuration conf = configuration(null, null, 1);
    assertNull(conf.get(RateLimiterFactory.CLASS_KEY));
    assertNull(conf.get(BucketTimeRateLimit.THRESHOLD_KEY));
    assertNull(conf.get(BucketTimeRateLimit.WINDOW_KEY));
  }

  @Test
  public void aTraceThatIsReplayedFaster_hasALimiterWithItsTime() {
    assertSame(TraceTimeRateLimiter.Budget.class,
        configuration(null, null, 60).getClass(RateLimiterFactory.CLASS_KEY, null));
    Configuration conf = configuration(null, "10m", 60);
    assertSame(TraceTimeRateLimiter.Threshold.class,
        conf.getClass(RateLimiterFactory.CLASS_KEY, null));
    assertEquals("10m", conf.get(BucketTimeRateLimit.WINDOW_KEY));
    assertEquals(60, conf.getDouble(TraceTimeRateLimiter.RATE_KEY, 0), 0);
  }
}
