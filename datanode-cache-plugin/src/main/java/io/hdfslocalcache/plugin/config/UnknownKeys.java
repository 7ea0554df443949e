/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;
import org.apache.hadoop.conf.Configuration;

/**
 * Finds keys that begin as those of the local cache do and are none of them. Hadoop passes over
 * such a key: if one is misspelt, its default is in force.
 */
public final class UnknownKeys {

  private static final String LIMITER_PREFIX = LocalCacheKeys.PREFIX + "rate.limiter.";

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
    return conf.getPropsWithPrefix(LocalCacheKeys.PREFIX).keySet().stream().sorted()
        .map(LocalCacheKeys.PREFIX::concat)
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

  private static String nearest(String key, Set<String> known) {
    JaroWinklerSimilarity similarity = new JaroWinklerSimilarity();
    return Collections.max(known, Comparator.comparingDouble(
        one -> similarity.apply(withoutPrefix(one), withoutPrefix(key))));
  }

  private static String withoutPrefix(String key) {
    return key.substring(LocalCacheKeys.PREFIX.length());
  }
}
