/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.replay.embedded.EmbeddedCluster.Hdd;
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

  private static CacheRateLimiter limiter(Configuration conf) {
    CacheRateLimiter limiter =
        RateLimiterFactory.create(RateLimiterConfig.of(conf::getTrimmed), () -> 0);
    limiter.capacity(1, 4L << 30);
    limiter.record("BP-1", 1, 1);
    return limiter;
  }

  @Test
  public void aTraceThatIsReplayedFaster_hasTheLimiterOfTheKeys() {
    Configuration conf = configuration(
        Map.of(RateLimiterFactory.CLASS_KEY, "admit-all", LocalCacheKeys.IO_DEADLINE, "2s"), 60);
    assertTrue("the first read", limiter(conf).admits("BP-1", 1));
    assertEquals("2s", conf.get(LocalCacheKeys.IO_DEADLINE));
  }

  @Test
  public void aTraceThatIsReplayedFaster_byDefault_hasAWriteBudget() {
    Configuration conf = configuration(Map.of(), 60);
    assertFalse("the first read", limiter(conf).admits("BP-1", 1));
    assertTrue(limiter(conf).metrics().toString(),
        limiter(conf).metrics().containsKey("BudgetBytesPerDay"));
    assertEquals("60s", conf.get(LocalCacheKeys.IO_DEADLINE));
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
