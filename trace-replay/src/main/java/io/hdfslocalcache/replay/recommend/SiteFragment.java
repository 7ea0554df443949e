/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.harness.SiteFile;
import io.hdfslocalcache.replay.recommend.Recommender.Recommendation;
import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Limiter;

/** The recommended keys as they go into hdfs-site.xml. */
public final class SiteFragment {

  /** The key of the patched DataNode that makes it ask the local cache at all. */
  private static final String INTERCEPTOR_KEY = "dfs.datanode.block.reader.interceptor.class";
  private static final String INTERCEPTOR = "io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor";
  private static final long KB = 1 << 10;

  private SiteFragment() {
  }

  /**
   * Lists the keys.
   *
   * @param directories for pages, one on each SSD
   */
  public static Map<String, String> keys(Recommendation recommendation, List<String> directories) {
    return keys(recommendation.wish(), recommendation.chosen().pageSize(),
        Recommender.limiter(recommendation.wish()), directories);
  }

  /** The same. @param pageSize bytes of data in a page */
  public static Map<String, String> keys(Wish wish, int pageSize, Limiter limiter,
      List<String> directories) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put(INTERCEPTOR_KEY, INTERCEPTOR);
    keys.put(LocalCacheKeys.ENABLED, "true");
    keys.put(LocalCacheKeys.DIRECTORIES, String.join(",", directories));
    keys.put(LocalCacheKeys.CAPACITY, size(wish.capacityOfEach()));
    keys.put(LocalCacheKeys.PAGE_SIZE, size(pageSize));
    keys.put(RateLimiterFactory.CLASS_KEY, limiter.className());
    keys.putAll(new TreeMap<>(limiter.keys()));
    // Simulated as one SSD; the key is for each.
    keys.computeIfPresent(WriteBudgetRateLimit.BUDGET_KEY, (key, all) ->
        size(Long.parseLong(all) / wish.directories()));
    return keys;
  }

  /** @return the keys as properties of hdfs-site.xml. */
  public static String xml(Map<String, String> keys) {
    return SiteFile.properties(keys.entrySet());
  }

  private static String size(long bytes) {
    String suffixes = "kmg";
    long rest = bytes;
    int suffix = -1;
    while (rest % KB == 0 && suffix < suffixes.length() - 1) {
      rest /= KB;
      suffix++;
    }
    return suffix < 0 ? Long.toString(bytes) : rest + suffixes.substring(suffix, suffix + 1);
  }
}
