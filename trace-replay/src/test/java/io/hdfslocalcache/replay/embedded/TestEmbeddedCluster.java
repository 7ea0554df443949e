/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.replay.embedded.EmbeddedCluster.Hdd;
import io.hdfslocalcache.replay.embedded.EmbeddedCluster.TraceTimeRateLimiter;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;
import picocli.CommandLine;

/** The configuration of the embedded DataNode. */
public class TestEmbeddedCluster {

  private static final Path DIRECTORY = Path.of("/work");

  private static Configuration configuration(Map<String, String> keys, double rate) {
    return EmbeddedCluster.configuration(DIRECTORY, DIRECTORY.resolve("ssd"), keys, rate);
  }

  @Test
  public void configuration_isOneThatADataNodeTakes() throws Exception {
    LocalCacheConfig config = LocalCacheConfig.from(
        configuration(Map.of(LocalCacheKeys.PAGE_SIZE, "512k", LocalCacheKeys.CAPACITY, "64m"), 1));
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

  private static Hdd hdd(String... args) {
    return CommandLine.populateCommand(new Hdd(), args);
  }

  @Test
  public void hdd_saysHowFastItIs() {
    assertEquals("HDD of 80 MB/s and 90 reads/s, 1 GB of memory",
        hdd("--hdd-mb-per-s", "80", "--hdd-iops", "90").toString());
  }

  @Test
  public void hdd_outOfRange_isTold() {
    assertEquals("--hdd-mb-per-s: must be at least 1", assertThrows(IllegalArgumentException.class,
        () -> hdd("--hdd-mb-per-s", "0").check()).getMessage());
    assertEquals("--hdd-iops: must be at least 1", assertThrows(IllegalArgumentException.class,
        () -> hdd("--hdd-iops", "-1").check()).getMessage());
  }

  @Test
  public void start_noSuchDirectory_saysWhichOne() {
    Path missing = Path.of("/no/such/directory");
    assertEquals("cannot make a directory in " + missing + "; is it writable?",
        assertThrows(IOException.class, () -> EmbeddedCluster.start(
            missing, null, Map.of(), 1, null, 0)).getMessage());
  }
}
