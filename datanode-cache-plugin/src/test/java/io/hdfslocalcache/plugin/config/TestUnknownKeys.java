/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import static org.junit.Assert.assertEquals;

import java.util.List;

import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import org.apache.hadoop.conf.Configuration;
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
    set("dry-run.ghost.a.capacity", "dry-run.ghost.a.rate.limiter.threshold");
    conf.set(LocalCacheKeys.DRY_RUN_GHOSTS, "a");
    conf.set("dfs.datanode.cache.revocation.timeout.ms", "1");
    assertEquals(List.of(), UnknownKeys.of(conf));
  }

  @Test
  public void of_misspeltKeys_namesTheNearest() {
    set("writebudget", "fill.rates", "memory.dir");
    assertEquals(List.of(line("fill.rates", "fill.rate"), line("memory.dir", "memory.directory"),
        line("writebudget", "write.budget")), UnknownKeys.of(conf));
  }

  @Test
  public void of_keyOfAnOperatorsOwnLimiter_isSilent() {
    set("rate.limiter.own");
    assertEquals(1, UnknownKeys.of(conf).size());
    set("dry-run.ghost.default.rate.limiter.own");
    assertEquals(2, UnknownKeys.of(conf).size());
    conf.set(RateLimiterFactory.CLASS_KEY, "org.example.Limiter");
    assertEquals(List.of(), UnknownKeys.of(conf));
  }

  /** They have no effect, as all others: none stops a DataNode. */
  @Test
  public void of_unknownKeysOfGhosts_namesTheNearest() throws Exception {
    conf.set(LocalCacheKeys.DRY_RUN, "true");
    conf.set(LocalCacheKeys.CAPACITY, "1g");
    conf.set(LocalCacheKeys.DRY_RUN_GHOSTS, "small");
    set("dry-run.ghost.small.capcity", "dry-run.ghost.smal.capacity",
        "dry-run.ghost.small.io.deadline");
    assertEquals(List.of(line("dry-run.ghost.smal.capacity", "dry-run.ghost.small.capacity"),
        line("dry-run.ghost.small.capcity", "dry-run.ghost.small.capacity"),
        line("dry-run.ghost.small.io.deadline", "dry-run.ghost.small.directories")),
        UnknownKeys.of(conf));
    assertEquals(1 << 30, DryRunConfig.from(conf).ghosts().get(0).capacity());
  }

  private static String line(String key, String nearest) {
    return LocalCacheKeys.PREFIX + key + " is not a key of the local cache and has no effect; the "
        + "most similar is " + LocalCacheKeys.PREFIX + nearest;
  }
}
