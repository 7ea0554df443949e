/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.simulate.Limiter;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.simulate.Sweep;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.stat.TraceStat;
import io.hdfslocalcache.replay.stat.TraceStat.Skew;
import io.hdfslocalcache.replay.trace.Trace;

/**
 * Tries limiters, sizes and page sizes on a trace. The limiter with a write budget is recommended,
 * whatever the others do on this trace: it alone protects the SSD from other reads tomorrow. Fixed
 * thresholds are tried so that they can be compared with it.
 */
public final class Recommender {

  private static final int[] THRESHOLDS = {0, 1, 2, 3, 5, 10, 20, 50};
  private static final String[] WINDOWS = {"10m", "30m", "60m"};
  private static final double[] SIZES = {0.125, 0.25, 0.5, 1, 2, 4};
  private static final int[] PAGE_SIZES = {512 << 10, 1 << 20, 2 << 20, 4 << 20};
  private static final int DEFAULT_PAGE = 1 << 20;
  /** So much of the disks' time is not worth another page size than the default. */
  private static final double WORTH_ANOTHER_PAGE = 0.01;
  /** As in Uber's description, but no more than one in so many blocks: or it would be most. */
  private static final int TOP = 10_000;
  private static final int TOP_SHARE = 100;

  private final Trace trace;
  private final Wish wish;
  private final Disk disk;
  private final Sweep sweep;
  private final List<Limiter> limiters = new ArrayList<>();
  private final Limiter recommended;

  /** Makes one; the parameters are those of {@link Sweep}. */
  public Recommender(Trace trace, Wish wish, Disk disk, int threads, LongConsumer progress) {
    this.trace = trace;
    this.wish = wish;
    this.disk = disk;
    this.sweep = new Sweep(trace, disk, threads, progress);
    for (String window : WINDOWS) {
      for (int threshold : THRESHOLDS) {
        limiters.add(Limiter.bucketTime(threshold, window));
      }
    }
    this.recommended = limiter(wish);
    limiters.add(recommended);
  }

  /** @return how many simulations there are. */
  public static int simulations() {
    return 1 + THRESHOLDS.length * WINDOWS.length + PAGE_SIZES.length + 3 * SIZES.length;
  }

  /** Tries all, and chooses the page size. */
  public Recommendation recommend() throws IOException {
    List<Result> tried = sweep.run(limiters.stream()
        .map(limiter -> setting(wish, limiter, DEFAULT_PAGE, 1)).toList());
    List<Result> pageSizes = sweep.run(Arrays.stream(PAGE_SIZES)
        .mapToObj(pageSize -> setting(wish, recommended, pageSize, 1)).toList());
    Result chosen = choosePageSize(pageSizes, Result::pageSize, Result::diskTimeSaved);
    List<Result> sizes = sweep.run(sizes(wish, recommended, chosen.pageSize()));
    List<Setting> all = sizes(wish, Limiter.ADMIT_ALL, chosen.pageSize());
    List<Result> admitAll = sweep.run(all);
    List<Result> clairvoyant = sweep.bounds(all);
    List<Skew> skew = Skew.of(trace);
    return new Recommendation(wish, disk, TraceStat.of(trace, top(skew)), skew, recommended, chosen,
        tried, sizes, admitAll, clairvoyant, pageSizes);
  }

  /** @param skew whose last point is that of all blocks that were read */
  private static int top(List<Skew> skew) {
    int blocks = skew.get(skew.size() - 1).blocks();
    return Math.max(1, Math.min(TOP, blocks / TOP_SHARE));
  }

  /** @return what is tried on each DataNode of a cluster: all sizes of the SSD, all page sizes. */
  static List<Setting> settings(Wish wish) {
    Limiter limiter = limiter(wish);
    return Stream.concat(sizes(wish, limiter, DEFAULT_PAGE).stream(), Arrays.stream(PAGE_SIZES)
        .mapToObj(pageSize -> setting(wish, limiter, pageSize, 1))).distinct().toList();
  }

  /** @return the recommended limiter. */
  public static Limiter limiter(Wish wish) {
    return Limiter.writeBudget((long) wish.bytesPerDay());
  }

  /** @return the best page size on this SSD: the default one, unless another is much better. */
  static <T> T choosePageSize(List<T> results, ToIntFunction<T> pageSize,
      ToDoubleFunction<T> diskTimeSaved) {
    T usual = results.stream().filter(r -> pageSize.applyAsInt(r) == DEFAULT_PAGE)
        .findFirst().orElseThrow();
    double worth = diskTimeSaved.applyAsDouble(usual) + WORTH_ANOTHER_PAGE;
    return results.stream().filter(r -> diskTimeSaved.applyAsDouble(r) > worth)
        .max(Comparator.comparingDouble(diskTimeSaved)).orElse(usual);
  }

  private static List<Setting> sizes(Wish wish, Limiter limiter, int pageSize) {
    return Arrays.stream(SIZES).mapToObj(size -> setting(wish, limiter, pageSize, size)).toList();
  }

  /** @param size of the SSD, as multiple of what the operator has */
  private static Setting setting(Wish wish, Limiter limiter, int pageSize, double size) {
    return new Setting(limiter, pageSize, (long) (wish.capacity() * size));
  }

  /**
   * What is recommended, and how it was found.
   *
   * @param wish what the operator has
   * @param disk the HDDs
   * @param stat what the trace is like
   * @param skew how its reads are spread
   * @param limiter the recommended limiter, which keeps a write budget
   * @param chosen what it would do, on SSDs and with pages as recommended
   * @param limiters all limiters that were tried, on these SSDs with pages of the default size
   * @param sizes the recommended limiter, by size of the SSD
   * @param admitAll the same without limiter
   * @param clairvoyant the bound
   * @param pageSizes the recommended limiter, by page size
   */
  public record Recommendation(Wish wish, Disk disk, TraceStat stat, List<Skew> skew,
      Limiter limiter, Result chosen, List<Result> limiters, List<Result> sizes,
      List<Result> admitAll, List<Result> clairvoyant, List<Result> pageSizes) {
  }

  /**
   * What an operator has.
   *
   * @param ssdBytes bytes of the SSD, or of all of them together
   * @param drivesPerDay how often a day the SSD may be written as a whole
   * @param directories how many SSDs there are
   */
  public record Wish(long ssdBytes, double drivesPerDay, int directories) {

    /** The file system needs the rest. */
    private static final double USABLE = 0.9;
    private static final long GB = 1L << 30;

    /** @return bytes that pages may take on each SSD: whole GB if that is not too coarse. */
    public long capacityOfEach() {
      long each = (long) (ssdBytes * USABLE / directories);
      return each >= 16 * GB ? each / GB * GB : each / (1 << 20) * (1 << 20);
    }

    /** @return bytes that pages may take on all SSDs. */
    public long capacity() {
      return capacityOfEach() * directories;
    }

    /** @return bytes that may be written in a day to all SSDs together. */
    public double bytesPerDay() {
      return ssdBytes * drivesPerDay;
    }

    /** @return size of the SSDs on which pages would take as much as in a result. */
    public double ssdBytes(Result result) {
      return (double) ssdBytes / capacity() * result.capacity();
    }

    /** @return how often a day the SSDs of a result would be written as a whole. */
    public double drivesPerDay(Result result) {
      return result.bytesWrittenPerDay() / ssdBytes(result);
    }
  }
}
