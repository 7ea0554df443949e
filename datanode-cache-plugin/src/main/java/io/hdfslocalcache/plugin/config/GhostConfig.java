/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.SafeRateLimiter;
import org.apache.hadoop.conf.Configuration;

/** What the configuration says of one ghost, checked: the DataNode's values, but for its own. */
public final class GhostConfig {

  /** What a ghost may have of its own: the other keys have no effect without an SSD. */
  private static final Set<String> KEYS = keys();
  /** A limiter of an operator's own may have keys of its own. */
  private static final String LIMITER_PREFIX = LocalCacheKeys.PREFIX + "rate.limiter.";

  private final String name;
  private final Map<String, String> own;
  private final Configuration conf;
  private final int pageSize;
  private final long capacity;
  private final int ssds;

  /**
   * Reads the keys.
   *
   * @param all the DataNode's configuration
   * @param own what the ghost has of its own, by what follows its name in the keys
   * @throws BadConfigurationException if one is out of range
   */
  GhostConfig(String name, Configuration all, Map<String, String> own)
      throws BadConfigurationException {
    this.name = name;
    this.own = own;
    this.conf = new Configuration(all);
    own.forEach((suffix, value) -> conf.set(LocalCacheKeys.PREFIX + suffix, value));
    try {
      checkKeys();
      this.ssds = Math.max(1, conf.getTrimmedStringCollection(LocalCacheKeys.DIRECTORIES).size());
      this.pageSize = LocalCacheConfig.pageSize(conf);
      this.capacity = readCapacity();
      limiter(() -> 0).close();
    } catch (BadConfigurationException e) {
      throw inOwnWords(e);
    }
  }

  private static Set<String> keys() {
    Set<String> keys = new TreeSet<>(RateLimiterFactory.keys().keySet());
    keys.addAll(Set.of(
        LocalCacheKeys.CAPACITY, LocalCacheKeys.DIRECTORIES, LocalCacheKeys.PAGE_SIZE));
    return keys;
  }

  private void checkKeys() throws BadConfigurationException {
    boolean ownClass = conf.get(RateLimiterFactory.CLASS_KEY, "").contains(".");
    for (Map.Entry<String, String> entry : own.entrySet()) {
      String key = LocalCacheKeys.PREFIX + entry.getKey();
      if (!KEYS.contains(key) && !(ownClass && key.startsWith(LIMITER_PREFIX))) {
        throw new BadConfigurationException(key, entry.getValue(), "must be one of "
            + String.join(", ", KEYS.stream()
                .map(allowed -> allowed.substring(LocalCacheKeys.PREFIX.length())).toList())
            + " after the name of the ghost; others have no effect without an SSD");
      }
    }
  }

  private long readCapacity() throws BadConfigurationException {
    Capacity configured = LocalCacheConfig.capacity(conf, pageSize);
    if (configured.percent() != 0) {
      throw new BadConfigurationException(LocalCacheKeys.CAPACITY, configured.toString(),
          "must be a number of bytes for ghost " + name + ", which has no file system");
    }
    return configured.bytes();
  }

  /** Names the key that the operator has written. */
  private BadConfigurationException inOwnWords(BadConfigurationException e) {
    String message = e.getMessage();
    for (String suffix : own.keySet()) {
      if (message.startsWith(LocalCacheKeys.PREFIX + suffix + " ")) {
        message = LocalCacheKeys.DRY_RUN_GHOST_PREFIX + name + '.'
            + message.substring(LocalCacheKeys.PREFIX.length());
        break;
      }
    }
    return new BadConfigurationException(message, e);
  }

  /** @return the name of the ghost. */
  public String name() {
    return name;
  }

  /** @return bytes of block data in a page. */
  public int pageSize() {
    return pageSize;
  }

  /** @return bytes that page files may take on each SSD. */
  public long capacity() {
    return capacity;
  }

  /** @return number of SSDs, at least 1. */
  public int ssds() {
    return ssds;
  }

  /**
   * Makes the ghost's rate limiter.
   *
   * @throws BadConfigurationException if it cannot be made
   */
  public SafeRateLimiter limiter(RateLimiterClock clock) throws BadConfigurationException {
    try {
      return new SafeRateLimiter(
          RateLimiterFactory.create(LimiterConfig.of(conf), clock), clock);
    } catch (IllegalArgumentException e) {
      throw new BadConfigurationException(e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return name + own;
  }
}
