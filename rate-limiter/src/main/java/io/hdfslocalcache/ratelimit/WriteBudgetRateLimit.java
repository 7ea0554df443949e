/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * The default limiter: admits the most valuable pages within a budget of bytes written to the SSDs.
 * The operator sets the capacity of the SSDs and the bytes per day that may be written to each; the
 * heat that a block needs follows from that. One threshold moves, once a minute, so that writes
 * stay within the budget.
 *
 * <p>A block has a heat: its reads, each counting less with time (mean life an hour). Reads that
 * continue where the previous one ended count as one, so a scan has a heat of 1, however small its
 * reads are. A first read from elsewhere is not part of a scan: its block is at least as hot as the
 * lowest threshold, so it enters at once while the budget suffices for everything. A page is
 * admitted at its first touch if its block's heat reaches the threshold, and at its second touch
 * within an hour or two if the heat reaches a fortieth of it. As the budget gets tighter, first
 * touches are refused first, because most pages of a block that is not very hot are read once; then
 * cold blocks.
 *
 * <p>Whatever the budget, a block that was only read from its beginning, and not twice within an
 * hour, is never hot enough. There is no other floor: pages admitted at their first touch replace
 * others that nobody has read yet ({@link io.hdfslocalcache.eviction.LazyLru}).
 *
 * <p>The target rate is compared not with the bytes written but with those that would have been
 * written without the balance's limit: otherwise an empty balance would hold the rate by itself,
 * admit whatever comes first, and leave the threshold unchanged. The target rate is the income plus
 * a share of the balance, so the credit for an empty SSD is spent in a few hours, first on
 * anything, then more selectively.
 *
 * <p>There is one budget for all SSDs, the sum of theirs: blocks are spread over the SSDs by a
 * hash, so the limiter need not know the SSD of a page.
 *
 * <p>With a budget of 0, and when X or Y of {@link BucketTimeRateLimit} is configured and a budget
 * is not, {@link RateLimiterFactory} creates that one instead.
 */
public class WriteBudgetRateLimit implements CacheRateLimiter {

  /**
   * Bytes that may be written to each SSD per day, in addition to filling it once. Unit: bytes,
   * with or without one of the suffixes k, m, g, t. Default: the capacity. 0: no budget.
   */
  public static final String BUDGET_KEY = "dfs.datanode.local.cache.write.budget";

  /** Default of {@link #BUDGET_KEY}: the capacity. */
  public static final String BUDGET_DEFAULT = "";

  /** The keys of this class and of its replacement without a budget, with their defaults. */
  static final Map<String, String> KEYS = keys();

  private static final int MEAN_LIFE_MINUTES = 60;
  /** After three mean lives of a read, no heat is left of it. */
  private static final long READ_LIFE_MILLIS = 3 * MEAN_LIFE_MINUTES * 60_000;
  /** Two reads, the first an hour ago. */
  private static final float LEAST_HEAT = (float) (1 + Math.exp(-1));
  private static final double MOST_HEAT = 1e6;
  private static final double FIRST_TO_SECOND_TOUCH = 40;
  /**
   * With an income above one capacity per day it is shorter in proportion: a burst that such an
   * income can pay for must not raise the threshold.
   */
  private static final double MINUTES_TO_SPEND_BALANCE = 4 * 60;
  private static final double MINUTES_PER_DAY = 24 * 60;
  private static final int MINUTE_MILLIS = 60_000;
  private static final long MILLIS_PER_DAY = 86_400_000;
  private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB"};
  /** A date further away is not meaningful. */
  private static final long MOST_DAYS = 366;
  /** A budget that follows the capacity. */
  private static final long CAPACITY = -1;
  /** After an hour without a read, the controller need not catch up on every minute. */
  private static final int MOST_STEPS = 60;

  private final Heat heat;
  private final TouchFilter touched;
  private final WriteBudget budget;
  private final ThresholdControl control = new ThresholdControl(LEAST_HEAT, MOST_HEAT);
  private final LongAdder rejectedCold = new LongAdder();
  private final LongAdder rejectedFirstTouch = new LongAdder();
  private final LongAdder rejectedBudget = new LongAdder();
  /** Each page as long as the longest written before it was rejected. */
  private final LongAdder rejectedBudgetBytes = new LongAdder();
  private int ssds;
  private long capacity;
  /** Budget of each SSD, or {@link #CAPACITY}. */
  private long perDayOfOne;
  private long qualifiedBefore;
  /** A float like a heat: a heat raised to the threshold must reach it. */
  private volatile float firstTouch = LEAST_HEAT;
  private volatile float secondTouch = LEAST_HEAT;

  /**
   * Creates a limiter without any reads yet.
   *
   * @param config holds the keys of this class and {@link BucketTimeRateLimit#MAX_BLOCKS_KEY}
   * @param clock the time
   * @throws IllegalArgumentException when a value is not allowed; see {@link RateLimiterConfig}
   */
  public WriteBudgetRateLimit(RateLimiterConfig config, RateLimiterClock clock) {
    this.perDayOfOne = perDayOfOne(config);
    this.budget = new WriteBudget(clock);
    int maxBlocks = BucketTimeRateLimit.maxBlocks(config);
    this.heat = new Heat(maxBlocks, clock);
    this.touched = new TouchFilter(maxBlocks, clock);
  }

  private static Map<String, String> keys() {
    Map<String, String> keys = new LinkedHashMap<>(BucketTimeRateLimit.KEYS);
    keys.put(BUDGET_KEY, BUDGET_DEFAULT);
    return keys;
  }

  /** Creates one, or a {@link BucketTimeRateLimit} if there is no budget. */
  static CacheRateLimiter create(RateLimiterConfig config, RateLimiterClock clock) {
    return hasBudget(config)
        ? new WriteBudgetRateLimit(config, clock) : new BucketTimeRateLimit(config, clock);
  }

  /** Tells whether a budget is configured, or follows from the capacity. */
  static boolean hasBudget(RateLimiterConfig config) {
    return perDayOfOne(config) != 0;
  }

  private static long perDayOfOne(RateLimiterConfig config) {
    boolean hasThreshold = config.get(BucketTimeRateLimit.THRESHOLD_KEY, null) != null
        || config.get(BucketTimeRateLimit.WINDOW_KEY, null) != null;
    return config.getBytes(BUDGET_KEY, hasThreshold ? 0 : CAPACITY);
  }

  /** Changes the income, which applies from the next minute on. */
  @Override
  public synchronized boolean reconfigure(RateLimiterConfig config) {
    long perDay = perDayOfOne(config);
    if (perDay == 0) {
      return false;
    }
    perDayOfOne = perDay;
    capacity(ssds, capacity);
    return true;
  }

  /** There is nothing to spend before this call. */
  @Override
  public synchronized void capacity(int number, long bytes) {
    ssds = number;
    capacity = bytes;
    budget.set(bytes, perDayOfOne == CAPACITY ? bytes
        : (long) Math.min(Long.MAX_VALUE / 2, (double) perDayOfOne * number));
  }

  @Override
  public void record(String blockPoolId, long blockId, long bytes) {
    record(blockPoolId, blockId, 0, bytes);
  }

  @Override
  public void record(String blockPoolId, long blockId, long from, long bytes) {
    heat.record(blockPoolId, blockId, from, from + bytes);
  }

  private synchronized void control(long minutes) {
    double wanted = budget.perDay() / MINUTES_PER_DAY
        + Math.max(0, budget.balance()) * Math.max(1, turnovers()) / MINUTES_TO_SPEND_BALANCE;
    long qualified = qualifiedBytes();
    double spent = (qualified - qualifiedBefore) / (double) minutes;
    double threshold = firstTouch;
    for (int i = 0; i < Math.min(MOST_STEPS, minutes); i++) {
      threshold = control.step(spent, Math.max(1, wanted));
    }
    qualifiedBefore = qualified;
    secondTouch = (float) Math.max(LEAST_HEAT, threshold / FIRST_TO_SECOND_TOUCH);
    firstTouch = (float) threshold;
  }

  /** @return how often per day the budget could replace every page. */
  private double turnovers() {
    return capacity == 0 ? 0 : (double) budget.perDay() / capacity;
  }

  private long qualifiedBytes() {
    return budget.spent() + rejectedBudgetBytes.sum();
  }

  @Override
  public boolean admits(String blockPoolId, long blockId) {
    boolean warm = wouldAdmit(blockPoolId, blockId);
    if (!warm) {
      rejectedCold.increment();
    }
    return warm;
  }

  @Override
  public boolean wouldAdmit(String blockPoolId, long blockId) {
    return heat.reads(blockPoolId, blockId) >= secondTouch;
  }

  @Override
  public boolean admits(String blockPoolId, long blockId, int page) {
    long block = heat.key(blockPoolId, blockId);
    boolean again = touched.touchAgain(block, page);
    if (heat.reads(block) < (again ? secondTouch : firstTouch)) {
      (again ? rejectedCold : rejectedFirstTouch).increment();
      return false;
    }
    if (!admitsByRule()) {
      rejectedBudgetBytes.add(budget.longestPage());
      return false;
    }
    return true;
  }

  /** Is counted, but not for the threshold, which pages of rules need not reach. */
  @Override
  public boolean admitsByRule() {
    boolean mayWrite = mayWrite(0);
    if (!mayWrite) {
      rejectedBudget.increment();
    }
    return mayWrite;
  }

  @Override
  public long heapBytes() {
    return heat.heapBytes() + touched.heapBytes();
  }

  @Override
  public boolean wasMissedBefore(String blockPoolId, long blockId, int page) {
    return touched.wasTouchedAgain(heat.key(blockPoolId, blockId), page);
  }

  /** Does not count for the threshold: callers that wait for the budget ask many times. */
  @Override
  public boolean mayWrite(long ahead) {
    return budget.mayWrite(ahead);
  }

  @Override
  public boolean isBudgetSpent() {
    return budget.isSpent();
  }

  @Override
  public void written(long bytes) {
    budget.spend(bytes);
  }

  @Override
  public void restore(StateFile state) {
    budget.restore(state);
  }

  /** The heat, rounded, but at least 1 while a read counts. */
  @Override
  public long accesses(String blockPoolId, long blockId) {
    float reads = heat.reads(blockPoolId, blockId);
    return reads == 0 ? 0 : Math.max(1, Math.round(reads));
  }

  @Override
  public long readLifeMillis() {
    return READ_LIFE_MILLIS;
  }

  @Override
  public String explain(String blockPoolId, long blockId) {
    double now = heat.reads(blockPoolId, blockId);
    String why = now < secondTouch ? "heat %.2f is below the threshold %.2f"
        : now < firstTouch ? "heat %.2f suffices for pages missed before; others need %.2f"
        : "heat %.2f reaches the threshold %.2f";
    return String.format(Locale.ROOT, why, now, now < secondTouch ? secondTouch : firstTouch);
  }

  /** Names no time if a page spends the balance again then: it would never be over. */
  @Override
  public String holdsBack() {
    long millis = budget.spentForMillis();
    if (millis == 0) {
      return budget.isNotSaved() ? "the balance of the write budget cannot be saved" : "";
    }
    if (millis > MOST_DAYS * MILLIS_PER_DAY
        || millis <= Math.max(MINUTE_MILLIS, budget.millisToEarnAPage())) {
      return "write budget spent: pages enter at " + inWords(budget.perDay()) + " a day";
    }
    return "write budget spent until " + fullMinuteAfter(millis, ZonedDateTime.now());
  }

  /** As Hadoop's commands show sizes: without a digit after the point, it is exact. */
  private static String inWords(long bytes) {
    int unit = 0;
    long size = 1;
    while (bytes / size >= 1024 && unit < UNITS.length - 1) {
      size *= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, bytes % size == 0 ? "%.0f %s" : "%.1f %s",
        (double) bytes / size, UNITS[unit]);
  }

  static String fullMinuteAfter(long millis, ZonedDateTime now) {
    ZonedDateTime until =
        now.plus(millis, ChronoUnit.MILLIS).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    return DateTimeFormatter.ofPattern(
        until.toLocalDate().equals(now.toLocalDate()) ? "HH:mm" : "yyyy-MM-dd HH:mm").format(until);
  }

  @Override
  public void close() {
    budget.close();
  }

  @Override
  public Map<String, Long> metrics() {
    Map<String, Long> metrics = new LinkedHashMap<>();
    metrics.put("BudgetBytesPerDay", budget.perDay());
    if (budget.isKnown()) {
      metrics.put("BudgetBalanceBytes", (long) budget.balance());
    }
    metrics.put("BudgetSpentBytes", budget.written());
    metrics.put("ThresholdFirstTouchMilli", Math.round(firstTouch * 1000.0));
    metrics.put("ThresholdSecondTouchMilli", Math.round(secondTouch * 1000.0));
    metrics.put("RejectedCold", rejectedCold.sum());
    metrics.put("RejectedFirstTouch", rejectedFirstTouch.sum());
    metrics.put("RejectedBudget", rejectedBudget.sum());
    metrics.put("ForgottenBlocks", heat.forgotten());
    return metrics;
  }

  @Override
  public Set<String> counters() {
    return Set.of("BudgetSpentBytes", "RejectedCold", "RejectedFirstTouch", "RejectedBudget",
        "ForgottenBlocks");
  }

  /**
   * How often each block is read, as one number: each read counts 1 when it is made and less from
   * minute to minute, exponentially, so that a block that is read r times an hour has a heat of
   * about r. A single-precision float, of which 31 bits are used.
   *
   * <p>A read that continues where the latest one ended counts nothing. The other bits store a hash
   * of that end, so one in 65,536 other reads is mistaken for a continuation. A read that starts
   * elsewhere, but not at the start of the block, raises its heat at least to the lowest threshold.
   */
  private final class Heat extends BlockTable {
    /** Less than this is nothing: a single read is forgotten after three mean lives. */
    private static final float LEAST = 0.05f;
    /** More than this makes no difference. */
    private static final float MOST = (float) MOST_HEAT;
    private static final int LIVES = 20;

    private static final int READS_BITS = 31;
    private static final int END_BITS = 16;

    /** What is left of a read, by its age. */
    private final float[] left = new float[LIVES * MEAN_LIFE_MINUTES];

    Heat(int maxBlocks, RateLimiterClock clock) {
      super(maxBlocks, READS_BITS + END_BITS, LEAST, clock, MINUTE_MILLIS);
      for (int age = 0; age < left.length; age++) {
        left[age] = (float) Math.exp((double) -age / MEAN_LIFE_MINUTES);
      }
    }

    @Override
    float reads(long history, long age) {
      return age < left.length
          ? Float.intBitsToFloat((int) history & Integer.MAX_VALUE) * left[(int) age] : 0;
    }

    @Override
    long added(long history, long age, long from, long to) {
      boolean goesOn = from != 0 && history != 0 && history >>> READS_BITS == hash(from);
      float reads = reads(history, age);
      if (!goesOn) {
        reads = Math.max(reads + 1, from == 0 ? 0 : LEAST_HEAT);
      }
      return hash(to) << READS_BITS | Float.floatToRawIntBits(Math.min(reads, MOST));
    }

    private static long hash(long position) {
      return mix(position) >>> Long.SIZE - END_BITS;
    }

    @Override
    void passed(long minutes) {
      control(minutes);
    }
  }
}
