/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;

import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.Test;

public class TestUnknownKeys {

  private final Configuration conf = new Configuration(false);

  private void set(String... keys) {
    for (String key : keys) {
      conf.set(LocalCacheKeys.PREFIX + key, "1");
    }
  }

  @Test
  public void of_everyKnownKey_isSilent() {
    LocalCacheKeys.defaults().keySet().forEach(key -> conf.set(key, "1"));
    RateLimiterFactory.keys().keySet().forEach(key -> conf.set(key, "1"));
    conf.set("dfs.datanode.cache.revocation.timeout.ms", "1");
    assertEquals(List.of(), UnknownKeys.of(conf));
  }

  @Test
  public void of_misspeltKeys_namesTheNearest() {
    set("writebudget", "fill.rates", "memory.dir");
    assertEquals(List.of(line("fill.rates", "fill.rate"), line("memory.dir", "memory.directory"),
        line("writebudget", "write.budget")), UnknownKeys.of(conf));
  }

  /** Commands take it like this. */
  @Test
  public void of_keyWithoutAllOfItsPrefix_namesTheWholeOne() {
    set("threshold", "window");
    assertEquals(List.of(line("threshold", "rate.limiter.threshold"),
        line("window", "rate.limiter.window")), UnknownKeys.of(conf));
  }

  @Test
  public void of_misspeltPrefix_namesTheNearest() {
    conf.set("dfs.datanode.local.cach.capacity", "1");
    conf.set("dfs.datanode.localcache.directories", "1");
    conf.set("dfs.datanode.localcache.memory.sise", "1");
    conf.set("dfs.datanode.block.reader.interceptr.class", "1");
    String wrong = " is not a key of the local cache and has no effect; the most similar is ";
    assertEquals(List.of("dfs.datanode.block.reader.interceptr.class" + wrong
            + "dfs.datanode.block.reader.interceptor.class",
        "dfs.datanode.local.cach.capacity" + wrong + LocalCacheKeys.PREFIX + "capacity",
        "dfs.datanode.localcache.directories" + wrong + LocalCacheKeys.PREFIX + "directories",
        "dfs.datanode.localcache.memory.sise" + wrong + LocalCacheKeys.PREFIX + "memory.size"),
        UnknownKeys.of(conf));
  }

  @Test
  public void of_allOfHadoopsKeys_isSilent() {
    Configuration hadoops = new HdfsConfiguration();
    assertTrue(hadoops.size() > 500);
    assertEquals(List.of(), UnknownKeys.of(hadoops));
  }

  @Test
  public void of_keyOfAnOperatorsOwnLimiter_isSilent() {
    set("rate.limiter.own");
    assertEquals(1, UnknownKeys.of(conf).size());
    conf.set(RateLimiterFactory.CLASS_KEY, "org.example.Limiter");
    assertEquals(List.of(), UnknownKeys.of(conf));
    set("fill.rates");
    assertEquals("no key of a limiter", List.of(line("fill.rates", "fill.rate")),
        UnknownKeys.of(conf));
  }

  private static String line(String key, String nearest) {
    return LocalCacheKeys.PREFIX + key + " is not a key of the local cache and has no effect; the "
        + "most similar is " + LocalCacheKeys.PREFIX + nearest;
  }
}
