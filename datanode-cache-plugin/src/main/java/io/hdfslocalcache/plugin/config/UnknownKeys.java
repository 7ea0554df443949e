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
 * Finds keys that are meant for the local cache and are none of its own: those that begin as its
 * keys do, or that differ from one in a few letters. Hadoop passes over such a key: if one is
 * misspelt, its default is in force.
 */
public final class UnknownKeys {

  private static final String LIMITER_PREFIX = LocalCacheKeys.PREFIX + "rate.limiter.";

  /** Each of Hadoop's own keys differs from each of ours in more letters. */
  private static final int FEW_LETTERS = 3;

  private UnknownKeys() {
  }

  /**
   * Looks for them.
   *
   * @return a line for an operator for each, with the known key that is most like it
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

  /** A limiter of an operator's own may have keys of its own. */
  private static boolean mayBeOthers(String key, Configuration conf) {
    return key.startsWith(LIMITER_PREFIX)
        && conf.get(RateLimiterFactory.CLASS_KEY, "").contains(".");
  }

  private static boolean isNearly(String key, Set<String> known) {
    LevenshteinDistance distance = new LevenshteinDistance(FEW_LETTERS);
    return known.stream().anyMatch(one -> distance.apply(one, key) >= 0);
  }

  private static String nearest(String key, Set<String> known) {
    JaroWinklerSimilarity similarity = new JaroWinklerSimilarity();
    return Collections.max(known, Comparator.comparingDouble(
        one -> similarity.apply(lastPart(one), lastPart(key))));
  }

  /** The prefix says nothing, and may be what is misspelt. */
  private static String lastPart(String key) {
    return key.substring(Math.min(key.length(), LocalCacheKeys.PREFIX.length()));
  }
}
