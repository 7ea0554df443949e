/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.simulate.Limiter;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.simulate.Sweep;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Access;
import io.hdfslocalcache.replay.trace.TraceStat;

/**
 * Simulates SSD sizes, endurances and page sizes on a trace. The limiter has a write budget,
 * because only that protects the SSD if reads change.
 */
public final class Recommender {

  private static final double[] SIZES = {0.125, 0.25, 0.5, 1, 2, 4};
  private static final double[] ENDURANCES = {0.25, 0.5, 1, 2, 4};
  private static final int[] PAGE_SIZES = {512 << 10, 1 << 20, 2 << 20, 4 << 20};
  private static final int DEFAULT_PAGE = 1 << 20;
  /** Saved share of the disks' time from which another page size than the default is worth it. */
  private static final double WORTH_ANOTHER_PAGE = 0.01;
  /** As in Uber's description, but limited to a share of the blocks, or they would be most. */
  private static final int TOP = 10_000;
  private static final int TOP_SHARE = 100;

  private final Trace trace;
  private final Wish wish;
  private final Disk disk;
  private final Sweep sweep;

  /** The parameters are those of {@link Sweep}. */
  public Recommender(Trace trace, Wish wish, Disk disk, int threads, Runnable done) {
    this.trace = trace;
    this.wish = wish;
    this.disk = disk;
    this.sweep = new Sweep(trace, disk, threads, done);
  }

  /** @return number of simulations. */
  public static int simulations() {
    return PAGE_SIZES.length + ENDURANCES.length + 3 * SIZES.length;
  }

  /** Runs all simulations, and chooses the page size. */
  public Recommendation recommend() throws IOException {
    List<Result> pageSizes = sweep.run(pageSizes(wish));
    Result chosen = choosePageSize(pageSizes, Result::pageSize, Result::diskTimeSaved);
    int page = chosen.pageSize();
    List<Setting> all = Arrays.stream(SIZES).mapToObj(size ->
        new Setting(Limiter.ADMIT_ALL, page, (long) (wish.capacity() * size))).toList();
    List<Result> endurances = sweep.run(Arrays.stream(ENDURANCES)
        .mapToObj(more -> new Setting(budget(wish, more), page, wish.capacity())).toList());
    return new Recommendation(wish, disk, TraceStat.of(trace, top()), chosen, estimate(chosen, 1),
        tried(sweep.run(sizes(wish, page)), i -> 1), tried(endurances, i -> ENDURANCES[i]),
        tried(pageSizes, i -> 1), sweep.run(all), sweep.bounds(all));
  }

  private Estimate estimate(Result result, double moreEndurance) {
    return Estimate.of(result, wish, wish.drivesPerDay() * moreEndurance);
  }

  private List<Tried> tried(List<Result> results, IntToDoubleFunction moreEndurance) {
    return IntStream.range(0, results.size()).mapToObj(i -> new Tried(results.get(i),
        estimate(results.get(i), moreEndurance.applyAsDouble(i)))).toList();
  }

  private int top() {
    long blocks = trace.accesses().stream().filter(Access::isRead)
        .map(access -> trace.replica(access).blockId()).distinct().count();
    return (int) Math.max(1, Math.min(TOP, blocks / TOP_SHARE));
  }

  /** @return the simulations for each DataNode of a cluster: all SSD sizes and page sizes. */
  public static List<Setting> settings(Wish wish) {
    return Stream.concat(sizes(wish, DEFAULT_PAGE).stream(), pageSizes(wish).stream())
        .distinct().toList();
  }

  /** @return the recommended limiter, which keeps the writes within the SSD's endurance. */
  public static Limiter limiter(Wish wish) {
    return budget(wish, 1);
  }

  /** @param more multiple of the endurance of the operator's SSD */
  private static Limiter budget(Wish wish, double more) {
    return Limiter.writeBudget((long) (wish.bytesPerDay() * more));
  }

  /** @return the best page size on this SSD: the default one, unless another is much better. */
  public static <T> T choosePageSize(List<T> results, ToIntFunction<T> pageSize,
      ToDoubleFunction<T> diskTimeSaved) {
    T usual = results.stream().filter(r -> pageSize.applyAsInt(r) == DEFAULT_PAGE)
        .findFirst().orElseThrow();
    double worth = diskTimeSaved.applyAsDouble(usual) + WORTH_ANOTHER_PAGE;
    return results.stream().filter(r -> diskTimeSaved.applyAsDouble(r) > worth)
        .max(Comparator.comparingDouble(diskTimeSaved)).orElse(usual);
  }

  /** @return SSDs of several sizes, all with the same endurance. */
  private static List<Setting> sizes(Wish wish, int pageSize) {
    return Arrays.stream(SIZES).mapToObj(size ->
        new Setting(budget(wish, size), pageSize, (long) (wish.capacity() * size))).toList();
  }

  private static List<Setting> pageSizes(Wish wish) {
    return Arrays.stream(PAGE_SIZES)
        .mapToObj(size -> new Setting(limiter(wish), size, wish.capacity())).toList();
  }

  /** A simulation and its estimate. */
  public record Tried(Result result, Estimate estimate) {
  }

  /**
   * The recommendation, and the simulations behind it.
   *
   * @param wish the operator's SSDs
   * @param disk the HDDs
   * @param stat figures of the trace
   * @param chosen result of the recommended limiter with recommended SSDs and pages
   * @param estimate estimate of that result
   * @param sizes the same by size of the SSD, with the same endurance
   * @param endurances the same by endurance
   * @param pageSizes the same by page size
   * @param admitAll by size, without limiter
   * @param clairvoyant by size, the bound
   */
  public record Recommendation(Wish wish, Disk disk, TraceStat stat, Result chosen,
      Estimate estimate, List<Tried> sizes, List<Tried> endurances, List<Tried> pageSizes,
      List<Result> admitAll, List<Result> clairvoyant) {
  }

  /**
   * The operator's SSDs.
   *
   * @param ssdBytes bytes of the SSD, or of all of them together
   * @param drivesPerDay drive writes per day of the SSD
   * @param directories number of SSDs
   * @param price total price of the SSDs, in any currency; 0: unknown
   */
  public record Wish(long ssdBytes, double drivesPerDay, int directories, double price) {

    /** The key that makes the patched DataNode use the local cache. */
    private static final String INTERCEPTOR_KEY = "dfs.datanode.block.reader.interceptor.class";
    private static final String INTERCEPTOR = "io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor";
    private static final long KB = 1 << 10;
    /** The file system needs the rest. */
    private static final double USABLE = 0.9;
    private static final long GB = 1L << 30;

    /** @return capacity for pages on each SSD: whole GB if that is not too coarse. */
    public long capacityOfEach() {
      long each = (long) (ssdBytes * USABLE / directories);
      return each >= 16 * GB ? each / GB * GB : each / (1 << 20) * (1 << 20);
    }

    /** @return bytes that pages may take on all SSDs. */
    public long capacity() {
      return capacityOfEach() * directories;
    }

    /** @return bytes that may be written per day to all SSDs together. */
    public double bytesPerDay() {
      return ssdBytes * drivesPerDay;
    }

    /** @return size of the SSDs with this capacity for pages. */
    public double ssdBytes(long capacityOfAll) {
      return (double) ssdBytes / capacity() * capacityOfAll;
    }

    /**
     * Lists the recommended keys.
     *
     * @param pageSize bytes of data in a page
     * @param directories for pages, one on each SSD
     */
    public Map<String, String> keys(int pageSize, List<String> directories) {
      Limiter limiter = limiter(this);
      Map<String, String> keys = new LinkedHashMap<>();
      keys.put(INTERCEPTOR_KEY, INTERCEPTOR);
      keys.put(LocalCacheKeys.ENABLED, "true");
      keys.put(LocalCacheKeys.DIRECTORIES, String.join(",", directories));
      keys.put(LocalCacheKeys.CAPACITY, size(capacityOfEach()));
      keys.put(LocalCacheKeys.PAGE_SIZE, size(pageSize));
      keys.put(RateLimiterFactory.CLASS_KEY, limiter.className());
      keys.putAll(new TreeMap<>(limiter.keys()));
      // Simulated as one SSD; the key is for each.
      keys.computeIfPresent(WriteBudgetRateLimit.BUDGET_KEY, (key, all) ->
          size(Long.parseLong(all) / this.directories));
      return keys;
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
}
