/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Map;
import java.util.Set;

/**
 * Admits a block that was accessed more than X times in the past Y minutes: the rate limiter of
 * the same name in Uber's description of its DataNode local cache (section "Rate Limiter").
 *
 * <p>The past Y minutes are a row of buckets; when a new one begins, the reads of the oldest are
 * forgotten. A bucket is a minute, so the window is between Y - 1 and Y minutes long. A block has
 * 48 bits for its reads. Where X and Y are too large for them, buckets are longer: with an X of 10,
 * where Y is more than 12. See {@link BlockTable} for the table.
 *
 * <p>If more blocks are read within the window than {@link #MAX_BLOCKS_KEY}, the coldest are
 * forgotten.
 */
public class BucketTimeRateLimit implements CacheRateLimiter {

  /**
   * X: a block is admitted when its accesses within the window exceed this number. Unit: client
   * reads. Default 10. Allowed: 0 to 1000000; with 0 a block is admitted at its first read.
   */
  public static final String THRESHOLD_KEY = "dfs.datanode.local.cache.rate.limiter.threshold";

  /** Default of {@link #THRESHOLD_KEY}. */
  public static final int THRESHOLD_DEFAULT = 10;

  /**
   * Y: how long an access counts. Unit: a duration, such as 10m. Default 10m. Allowed: whole
   * minutes, 1m to 24h.
   */
  public static final String WINDOW_KEY = "dfs.datanode.local.cache.rate.limiter.window";

  /** Default of {@link #WINDOW_KEY}. */
  public static final String WINDOW_DEFAULT = "10m";

  /**
   * Maximum number of remembered blocks; a block not read within the window needs no room. Beyond
   * it, the coldest are forgotten, and counted. Unit: blocks. Default 262144.
   * Allowed: 1024 to 67108864 (2^26). A block takes 24 bytes of heap, and 32 for the first touches
   * of its pages if these are remembered; allocated at the start.
   */
  public static final String MAX_BLOCKS_KEY =
      "dfs.datanode.local.cache.rate.limiter.max.blocks";

  /** Default of {@link #MAX_BLOCKS_KEY}. */
  public static final int MAX_BLOCKS_DEFAULT = 1 << 18;

  /** The keys of this class, with their defaults. */
  static final Map<String, String> KEYS = Map.of(
      THRESHOLD_KEY, String.valueOf(THRESHOLD_DEFAULT), WINDOW_KEY, WINDOW_DEFAULT,
      MAX_BLOCKS_KEY, String.valueOf(MAX_BLOCKS_DEFAULT));

  private static final int MAX_THRESHOLD = 1_000_000;
  private static final long MINUTE_MILLIS = 60_000;

  private final int threshold;
  private final int windowMinutes;
  private final Window window;

  /**
   * Creates a limiter without any reads yet.
   *
   * @param config holds the keys of this class
   * @param clock the time by which accesses expire
   * @throws IllegalArgumentException when a value is not allowed; see {@link RateLimiterConfig}
   */
  public BucketTimeRateLimit(RateLimiterConfig config, RateLimiterClock clock) {
    this.threshold = config.getInt(THRESHOLD_KEY, THRESHOLD_DEFAULT, 0, MAX_THRESHOLD);
    this.windowMinutes = windowMinutes(config);
    this.window = new Window(threshold, windowMinutes, maxBlocks(config), clock);
  }

  private static int windowMinutes(RateLimiterConfig config) {
    long millis = config.getDurationMillis(WINDOW_KEY, WINDOW_DEFAULT, "1m", "24h");
    if (millis % MINUTE_MILLIS != 0) {
      throw RateLimiterConfig.invalid(WINDOW_KEY, config.get(WINDOW_KEY, WINDOW_DEFAULT),
          "must be a whole number of minutes from 1m to 24h");
    }
    return (int) (millis / MINUTE_MILLIS);
  }

  /** @return the value of {@link #MAX_BLOCKS_KEY}. */
  static int maxBlocks(RateLimiterConfig config) {
    return config.getInt(MAX_BLOCKS_KEY, MAX_BLOCKS_DEFAULT, 1 << 10, 1 << 26);
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
    window.record(blockPoolId, blockId, 0, bytes);
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    return window.reads(blockPoolId, blockId) > threshold;
  }

  @Override
  public long accesses(String blockPoolId, long blockId) {
    return (long) window.reads(blockPoolId, blockId);
  }

  @Override
  public String explain(String blockPoolId, long blockId) {
    String was = admits(blockPoolId, blockId) ? "was" : "has to be";
    return "it " + was + " read more than " + threshold + " times within " + windowMinutes + " min";
  }

  @Override
  public long readLifeMillis() {
    return windowMinutes * MINUTE_MILLIS;
  }

  /**
   * @return number of blocks forgotten so far for lack of room although their reads still counted:
   *     if this grows, raise {@link #MAX_BLOCKS_KEY}
   */
  long forgottenBlocks() {
    return window.forgotten();
  }

  @Override
  public long heapBytes() {
    return window.heapBytes();
  }

  @Override
  public Map<String, Long> metrics() {
    return Map.of("ForgottenBlocks", forgottenBlocks());
  }

  @Override
  public Set<String> counters() {
    return Set.of("ForgottenBlocks");
  }

  /** @return number of blocks read within the window; for tests. */
  int liveBlocks() {
    return window.liveBlocks();
  }

  /**
   * The reads of each block within the window, as far as they matter to the question whether they
   * are more than X: a row of counters, one for each bucket, the newest at the low end. A counter
   * stops at a value above X, which decides whatever the others say. There is a bucket for each
   * minute if there is room, otherwise there are as many as there is room for.
   */
  static final class Window extends BlockTable {

    /** How many bits a history may have. */
    static final int MOST_BITS = Long.SIZE - MINUTE_BITS;

    private final int buckets;
    private final int counterBits;
    private final long most;
    private final long mask;

    /**
     * Makes the table for one X and Y.
     *
     * @param threshold X, how many reads must be exceeded
     * @param minutes Y, the length of the window
     */
    Window(int threshold, int minutes, int maxBlocks, RateLimiterClock clock) {
      super(maxBlocks, buckets(threshold, minutes) * bitsOfCounter(threshold), 1, clock,
          minutes * MINUTE_MILLIS / buckets(threshold, minutes));
      this.buckets = buckets(threshold, minutes);
      this.counterBits = bitsOfCounter(threshold);
      this.most = (1L << counterBits) - 1;
      this.mask = (1L << buckets * counterBits) - 1;
    }

    /** @return how many bits it takes to count one more than X. */
    static int bitsOfCounter(int threshold) {
      return Integer.SIZE - Integer.numberOfLeadingZeros(threshold + 1);
    }

    private static int buckets(int threshold, int minutes) {
      return Math.min(minutes, MOST_BITS / bitsOfCounter(threshold));
    }

    /** Where they are more than X, perhaps fewer than all. */
    @Override
    float reads(long history, long age) {
      int reads = 0;
      for (long rest = aged(history, age); rest != 0; rest >>>= counterBits) {
        reads += rest & most;
      }
      return reads;
    }

    @Override
    long added(long history, long age, long from, long to) {
      long aged = aged(history, age);
      return (aged & most) == most ? aged : aged + 1;
    }

    private long aged(long history, long age) {
      return age < buckets ? history << age * counterBits & mask : 0;
    }
  }
}
