/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.SafeRateLimiter;
import org.apache.hadoop.conf.Configuration;

/**
 * What is only played through, checked.
 *
 * @param dryRun whether that is all: nothing is written to, or read from, an SSD
 * @param ghosts settings that are played through; at least one in a dry run
 * @param maxPages pages that all of them may have together: about 120 bytes of heap each
 */
public record DryRunConfig(boolean dryRun, List<GhostConfig> ghosts, int maxPages) {

  /** The ghost of a dry run that names none. */
  public static final String DEFAULT_GHOST = "default";

  private static final int MOST_GHOSTS = 16;
  private static final int MAX_PAGES = 10_000_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,31}");

  /**
   * Reads the keys.
   *
   * @throws BadConfigurationException if a value is out of range
   */
  public static DryRunConfig from(Configuration conf) throws BadConfigurationException {
    boolean dryRun = LocalCacheConfig.flag(conf, LocalCacheKeys.DRY_RUN);
    Map<String, Map<String, String>> own = named(conf, dryRun);
    addOwnKeys(conf, own);
    List<GhostConfig> ghosts = new ArrayList<>();
    for (Map.Entry<String, Map<String, String>> ghost : own.entrySet()) {
      ghosts.add(new GhostConfig(ghost.getKey(), conf, ghost.getValue()));
    }
    checkPages(ghosts, conf);
    return new DryRunConfig(dryRun, List.copyOf(ghosts), MAX_PAGES);
  }

  /**
   * Looks at the size of pages once more.
   *
   * @param least bytes in a page at least, of the local cache and of each ghost
   * @throws BadConfigurationException if one has less
   */
  public void requirePageSize(LocalCacheConfig cache, int least, Configuration conf)
      throws BadConfigurationException {
    LocalCacheConfig.requirePageSize(cache.pageSize(), least, LocalCacheKeys.PAGE_SIZE, conf);
    for (GhostConfig ghost : ghosts) {
      LocalCacheConfig.requirePageSize(ghost.pageSize(), least, LocalCacheKeys.DRY_RUN_GHOST_PREFIX
          + ghost.name() + LocalCacheKeys.PAGE_SIZE.substring(LocalCacheKeys.PREFIX.length() - 1),
          conf);
    }
  }

  /** @return the ghosts, in their order, without their own keys yet. */
  private static Map<String, Map<String, String>> named(Configuration conf, boolean dryRun)
      throws BadConfigurationException {
    String key = LocalCacheKeys.DRY_RUN_GHOSTS;
    // Not as a collection, which would hide a name that is there twice.
    String[] names = conf.getTrimmedStrings(key);
    Map<String, Map<String, String>> named = new LinkedHashMap<>();
    for (String name : names) {
      if (!NAME.matcher(name).matches() || named.put(name, new TreeMap<>()) != null) {
        throw new BadConfigurationException(key, conf.getTrimmed(key), "must be different names of "
            + "1 to 32 letters, digits, - and _, separated by commas; not so: " + name);
      }
    }
    if (named.size() > MOST_GHOSTS) {
      throw new BadConfigurationException(
          key, conf.getTrimmed(key), "must be at most " + MOST_GHOSTS + " names");
    }
    if (!dryRun && !named.isEmpty()
        && conf.getTrimmedStrings(LocalCacheKeys.DIRECTORIES).length == 0) {
      throw new BadConfigurationException(key, conf.getTrimmed(key), "needs a local cache to run "
          + "beside, with " + LocalCacheKeys.DIRECTORIES + ", or " + LocalCacheKeys.DRY_RUN
          + " = true");
    }
    if (dryRun && named.isEmpty()) {
      named.put(DEFAULT_GHOST, new TreeMap<>());
    }
    return named;
  }

  /** A key that no ghost takes has no effect, as any other that is unknown. */
  private static void addOwnKeys(Configuration conf, Map<String, Map<String, String>> own) {
    for (Map.Entry<String, Map<String, String>> ghost : own.entrySet()) {
      String prefix = LocalCacheKeys.DRY_RUN_GHOST_PREFIX + ghost.getKey() + '.';
      for (String suffix : conf.getPropsWithPrefix(prefix).keySet()) {
        if (GhostConfig.takes(suffix)) {
          ghost.getValue().put(suffix, conf.getTrimmed(prefix + suffix));
        }
      }
    }
  }

  /** @return the keys that ghosts may have of their own; of a class of an operator's own, not all. */
  static Set<String> ghostKeys(Configuration conf) {
    Set<String> keys = new TreeSet<>();
    for (String name : conf.getTrimmedStrings(LocalCacheKeys.DRY_RUN_GHOSTS, DEFAULT_GHOST)) {
      GhostConfig.KEYS.forEach(key -> keys.add(LocalCacheKeys.DRY_RUN_GHOST_PREFIX + name + '.'
          + key.substring(LocalCacheKeys.PREFIX.length())));
    }
    return keys;
  }

  private static void checkPages(List<GhostConfig> ghosts, Configuration conf)
      throws BadConfigurationException {
    long pages = 0;
    for (GhostConfig ghost : ghosts) {
      int size = ghost.pageSize();
      pages += ghost.capacity() / PageLayout.usual(size, size).fileLength(0) * ghost.ssds().size();
    }
    if (pages > MAX_PAGES) {
      throw new BadConfigurationException(LocalCacheKeys.DRY_RUN_GHOSTS,
          conf.getTrimmed(LocalCacheKeys.DRY_RUN_GHOSTS, ""), "must be fewer, or smaller: they can "
          + "have " + pages + " pages together, more than " + MAX_PAGES
          + "; each takes about 120 bytes of heap");
    }
  }

  /** What the configuration says of one ghost, checked: the DataNode's values, but for its own. */
  public static final class GhostConfig {

    /** What a ghost may have of its own: the other keys have no effect without an SSD. */
    private static final Set<String> KEYS = keys();
    /** A limiter of an operator's own may have keys of its own. */
    static final String LIMITER_PREFIX = LocalCacheKeys.PREFIX + "rate.limiter.";

    private final String name;
    private final Map<String, String> own;
    private final Configuration conf;
    private final int pageSize;
    private final long capacity;
    private final List<Path> ssds;

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
        this.ssds = readDirectories();
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

    private static boolean takes(String suffix) {
      String key = LocalCacheKeys.PREFIX + suffix;
      return KEYS.contains(key) || key.startsWith(LIMITER_PREFIX);
    }

    /** Without any, one SSD is played through. Nothing is there: only the names matter. */
    private List<Path> readDirectories() {
      List<Path> named = conf.getTrimmedStringCollection(LocalCacheKeys.DIRECTORIES).stream()
          .map(name -> Path.of(name).normalize()).distinct().toList();
      return named.isEmpty() ? List.of(Path.of("/")) : named;
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
      return new BadConfigurationException(message);
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

    /** @return the directories on its SSDs, at least one. */
    public List<Path> ssds() {
      return ssds;
    }

    /**
     * Makes the ghost's rate limiter.
     *
     * @throws BadConfigurationException if it cannot be made
     */
    public SafeRateLimiter limiter(RateLimiterClock clock) throws BadConfigurationException {
      try {
        SafeRateLimiter limiter = new SafeRateLimiter(
            RateLimiterFactory.create(RateLimiterConfig.of(conf::getTrimmed), clock), clock);
        limiter.capacity(ssds.size(), ssds.size() * capacity);
        return limiter;
      } catch (IllegalArgumentException e) {
        throw new BadConfigurationException(e.getMessage());
      }
    }

    @Override
    public String toString() {
      return name + own;
    }
  }
}
