/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;

/**
 * Finds misspelt keys of the local cache: unknown keys with its prefix, or a few letters away from
 * one of its keys. Hadoop ignores such a key, and its default applies.
 */
public final class UnknownKeys {

  private static final String LIMITER_PREFIX = LocalCacheKeys.PREFIX + "rate.limiter.";

  /** Hadoop's own keys differ from ours in more letters. */
  private static final int FEW_LETTERS = 3;

  private UnknownKeys() {
  }

  /**
   * Finds misspelt keys.
   *
   * @return a line for an operator for each, with the most similar known key
   */
  public static List<String> of(Configuration conf) {
    Set<String> known = new TreeSet<>(LocalCacheKeys.defaults().keySet());
    known.addAll(RateLimiterFactory.keys().keySet());
    known.add(BlockReaderInterceptor.CLASS_KEY);
    return StreamSupport.stream(conf.spliterator(), false).map(Map.Entry::getKey).sorted()
        .filter(key -> key.startsWith(LocalCacheKeys.PREFIX) || isNearly(key, known))
        .filter(key -> !known.contains(key) && !mayBeOthers(key, conf))
        .map(key -> key + " is not a key of the local cache and has no effect; the most similar is "
            + nearest(key, known))
        .toList();
  }

  /** An operator's own limiter may have its own keys. */
  private static boolean mayBeOthers(String key, Configuration conf) {
    return key.startsWith(LIMITER_PREFIX)
        && conf.get(RateLimiterFactory.CLASS_KEY, "").contains(".");
  }

  private static boolean isNearly(String key, Set<String> known) {
    LevenshteinDistance distance = new LevenshteinDistance(FEW_LETTERS);
    return known.stream().anyMatch(one -> distance.apply(one, key) >= 0);
  }

  private static String nearest(String key, Set<String> known) {
    // Commands take it like this.
    String ofLimiter = LIMITER_PREFIX + lastPart(key);
    JaroWinklerSimilarity similarity = new JaroWinklerSimilarity();
    return known.contains(ofLimiter) ? ofLimiter : Collections.max(known, Comparator.comparingDouble(
        one -> similarity.apply(lastPart(one), lastPart(key))));
  }

  /** The prefix may be the misspelt part, and does not tell keys apart. */
  private static String lastPart(String key) {
    return key.substring(Math.min(key.length(), LocalCacheKeys.PREFIX.length()));
  }
}
