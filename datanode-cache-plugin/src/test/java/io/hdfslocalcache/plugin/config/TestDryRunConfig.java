/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.config.DryRunConfig.GhostConfig;
import org.apache.hadoop.conf.Configuration;
import org.junit.Before;
import org.junit.Test;

public class TestDryRunConfig {

  private static final String OWN = "dfs.datanode.local.cache.dry-run.ghost.";

  private final Configuration conf = new Configuration(false);

  @Before
  public void setCapacity() {
    conf.set(LocalCacheKeys.CAPACITY, "1g");
    conf.set(LocalCacheKeys.DIRECTORIES, "/no/such/ssd");
  }

  private DryRunConfig read() throws BadConfigurationException {
    return DryRunConfig.from(conf);
  }

  /** @param words of the message, the key and its value among them */
  private void assertRefused(String key, String value, String... words) {
    conf.set(key, value);
    String message = assertThrows(BadConfigurationException.class, this::read).getMessage();
    assertTrue(message, message.startsWith(key + " = "));
    assertTrue(message, message.contains(value));
    for (String word : words) {
      assertTrue(message, message.contains(word));
    }
    assertFalse(message, message.contains("\n"));
  }

  @Test
  public void nothingSet_nothingIsPlayedThrough() throws Exception {
    conf.unset(LocalCacheKeys.CAPACITY);
    assertFalse(read().dryRun());
    assertEquals(0, read().ghosts().size());
  }

  @Test
  public void dryRunWithoutNames_isOneGhostWithTheNormalKeys() throws Exception {
    conf.setBoolean(LocalCacheKeys.DRY_RUN, true);
    GhostConfig ghost = read().ghosts().get(0);
    assertEquals(1, read().ghosts().size());
    assertEquals("default", ghost.name());
    assertEquals(1 << 30, ghost.capacity());
    assertEquals(1 << 20, ghost.pageSize());
    assertEquals(1, ghost.ssds().size());
  }

  @Test
  public void ownKeys_goBeforeTheNormalOnes() throws Exception {
    conf.set(LocalCacheKeys.DRY_RUN_GHOSTS, "a, b-1");
    conf.set(LocalCacheKeys.DIRECTORIES, "/no/such/ssd,/neither");
    conf.set(OWN + "b-1.capacity", "2g");
    conf.set(OWN + "b-1.page.size", "64k");
    conf.set(OWN + "b-1.directories", "/x,/y,/z");
    conf.set(OWN + "b-1.rate.limiter.class", "admit-all");
    assertFalse(read().dryRun());
    GhostConfig a = read().ghosts().get(0);
    GhostConfig b = read().ghosts().get(1);
    assertEquals(1 << 30, a.capacity());
    assertEquals(2, a.ssds().size());
    assertEquals(2L << 30, b.capacity());
    assertEquals(64 << 10, b.pageSize());
    assertEquals(3, b.ssds().size());
    assertFalse(a.limiter(() -> 0).admits("BP-1", 1));
    assertTrue(b.limiter(() -> 0).admits("BP-1", 1));
  }

  @Test
  public void dryRun_needsNoDirectoryAndOpensNone() throws Exception {
    conf.setBoolean(LocalCacheKeys.ENABLED, true);
    conf.setBoolean(LocalCacheKeys.DRY_RUN, true);
    assertEquals(0, LocalCacheConfig.from(conf).directories().size());
    conf.unset(LocalCacheKeys.DIRECTORIES);
    assertEquals(0, LocalCacheConfig.from(conf).directories().size());
    assertEquals(1, read().ghosts().get(0).ssds().size());
  }

  @Test
  public void neitherTrueNorFalse_isRefused() {
    assertRefused(LocalCacheKeys.DRY_RUN, "ja", "true or false");
  }

  @Test
  public void ghostsBesideNothing_areRefused() {
    conf.unset(LocalCacheKeys.DIRECTORIES);
    assertRefused(LocalCacheKeys.DRY_RUN_GHOSTS, "a", "dry-run = true");
  }

  @Test
  public void badNames_areRefused() {
    assertRefused(LocalCacheKeys.DRY_RUN_GHOSTS, "a,b.c", "letters", "b.c");
    assertRefused(LocalCacheKeys.DRY_RUN_GHOSTS, "a,b,a", "different");
    assertRefused(LocalCacheKeys.DRY_RUN_GHOSTS, "x".repeat(33), "32");
    assertRefused(LocalCacheKeys.DRY_RUN_GHOSTS, IntStream.range(0, 17)
        .mapToObj(i -> "g" + i).collect(Collectors.joining(",")), "at most 16");
  }

  @Test
  public void ownValuesOutOfRange_areRefusedByTheNameThatWasWritten() {
    conf.set(LocalCacheKeys.DRY_RUN_GHOSTS, "a");
    assertRefused(OWN + "a.page.size", "100000", "multiple of 4096");
    conf.unset(OWN + "a.page.size");
    assertRefused(OWN + "a.rate.limiter.threshold", "-1", "whole number");
    conf.unset(OWN + "a.rate.limiter.threshold");
    assertRefused(OWN + "a.rate.limiter.class", "no.such.Limiter", "must be one of");
    conf.unset(OWN + "a.rate.limiter.class");
    assertRefused(OWN + "a.capacity", "80%", "number of bytes");
    assertRefused(OWN + "a.capacity", "4k", "at least 16 pages");
  }

  @Test
  public void normalValuesOutOfRange_areRefusedByTheirName() {
    conf.set(LocalCacheKeys.DRY_RUN_GHOSTS, "a");
    assertRefused(LocalCacheKeys.CAPACITY, "80%", "ghost a");
    conf.unset(LocalCacheKeys.CAPACITY);
    String message = assertThrows(BadConfigurationException.class, this::read).getMessage();
    assertTrue(message, message.startsWith(LocalCacheKeys.CAPACITY + " = "));
  }

  @Test
  public void morePagesThanAllowed_areRefused() throws Exception {
    conf.set(LocalCacheKeys.DRY_RUN_GHOSTS, "a,b");
    conf.set(LocalCacheKeys.CAPACITY, "1t");
    assertEquals(2, read().ghosts().size());
    conf.set(LocalCacheKeys.CAPACITY, "10t");
    assertRefused(LocalCacheKeys.DRY_RUN_GHOSTS, "a,b", "must be fewer", "more than 10000000",
        "heap");
  }
}
