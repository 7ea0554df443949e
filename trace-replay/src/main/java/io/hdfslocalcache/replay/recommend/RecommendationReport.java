/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.harness.Report.Axis;
import io.hdfslocalcache.harness.Report.Chart;
import io.hdfslocalcache.harness.Report.Look;
import io.hdfslocalcache.harness.Report.Point;
import io.hdfslocalcache.harness.Report.Series;
import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.replay.recommend.Recommender.Recommendation;
import io.hdfslocalcache.replay.recommend.Recommender.Tried;
import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.trace.TraceStat;
import io.hdfslocalcache.replay.text.Text;

/** The report of a recommendation. */
public final class RecommendationReport {

  private static final double PERCENT = 100;
  private static final double GB = 1L << 30;
  private static final double TB = 1L << 40;
  private static final double MILLIS = 1000;
  private static final double SECONDS_PER_HOUR = 3600;
  private static final String OFFLOAD = "offload, %";
  private static final String HOURS = "hours since the local cache was empty";
  private static final String RECOMMENDED = "recommended";

  private final Recommendation data;
  private final Wish wish;
  private final Result chosen;
  private final Estimate estimate;
  /** The unit of sizes: a TB, or a GB for small SSDs. */
  private final double unit;
  private final String unitName;
  private final Report report;

  private RecommendationReport(Recommendation data) {
    this.data = data;
    this.wish = data.wish();
    this.chosen = data.chosen();
    this.estimate = data.estimate();
    this.unit = wish.ssdBytes() >= TB ? TB : GB;
    this.unitName = unit == TB ? "TB" : "GB";
    this.report = new Report("A local cache of " + Sizes.text(wish.ssdBytes()) + " for this DataNode");
  }

  /**
   * Creates a report.
   *
   * @param source source of the trace
   * @param fragment the recommended keys, as a part of hdfs-site.xml
   */
  public static Report of(Recommendation data, String source, String fragment) {
    RecommendationReport made = new RecommendationReport(data);
    made.summary();
    made.charts();
    made.report.heading("For hdfs-site.xml").code(fragment);
    made.tables();
    made.method(source);
    return made.report;
  }

  /** @return the most important sentences, one line each. */
  public static List<String> sentences(Estimate estimate) {
    return Stream.of(estimate.offloadText(), estimate.lifeText(), estimate.costText())
        .filter(sentence -> !sentence.isEmpty()).toList();
  }

  private void summary() {
    report.lead(estimate.offloadText())
        .figure(estimate.offloads().percent(), "offload: bytes from the SSD")
        .figure(Text.percent(chosen.requestHitRate()), "reads from the SSD alone")
        .figure(Text.percent(chosen.reuseRate()), "reuse: hits among reads of admitted blocks");
    if (estimate.isSteady()) {
      report.figure(estimate.writes().text("%.2f", ""), "writes of the whole SSD a day after its "
              + "first filling; " + Text.number(estimate.allowed()) + " are allowed")
          .figure(estimate.yearsText(), Text.format("life of the SSD, if its maker promises %s "
              + "writes a day for %d years", Text.number(estimate.allowed()),
              Estimate.PROMISED_YEARS));
    }
    report.figure(Text.count(chosen.diskReadsSaved()),
            "HDD reads saved in " + Text.length(estimate.hours()))
        .figure(Sizes.text(chosen.heapBytes()), "of the DataNode's heap");
    sentences(estimate).stream().skip(1).forEach(report::text);
  }

  private void charts() {
    report.chart(new Chart("What a larger SSD would bring", "Each size with the recommended "
        + "limiter and the same endurance, without limiter (LRU that admits all), and with "
        + "foresight (Belady's MIN on pages), which no real cache reaches.",
        Axis.log("size of the SSD, " + unitName), Axis.percent(OFFLOAD), List.of(
        new Series("clairvoyant bound", Look.HIGH, bySize(data.clairvoyant())),
        new Series("recommended limiter", Look.MAIN, bySize(results(data.sizes()))),
        new Series("no limiter", Look.LOW, bySize(data.admitAll())))));
    report.chart(new Chart("Over time", "The local cache is empty at the beginning.",
        Axis.of(HOURS), Axis.percent(OFFLOAD), List.of(
        new Series("clairvoyant bound", Look.HIGH, offloadByTime(atThisSize(data.clairvoyant()))),
        new Series(RECOMMENDED, Look.MAIN, offloadByTime(chosen)))));
    report.chart(new Chart("What the HDDs do over time", Text.format("Of each hour, on average of "
        + "%s; above 100 %% they fall behind. In hour %d, the worst, they would be busy %s of the "
        + "time that they are without a local cache. 99 %% of the reads wait for them %.3f s at most, "
        + "without a local cache %.3f s. Minutes until the longest backlog is gone: %s and %s.",
        Text.count(data.disk().count(), "HDD"), chosen.worstHour(),
        Text.percent(chosen.worstHourDiskTime()), chosen.load().p99WaitMillis() / MILLIS,
        chosen.loadWithout().p99WaitMillis() / MILLIS, chosen.load().relief(),
        chosen.loadWithout().relief()),
        Axis.of(HOURS), Axis.of("HDDs' heads busy, %"), List.of(
        new Series("without local cache", Look.LOW, useByTime(chosen.loadWithout())),
        new Series(RECOMMENDED, Look.MAIN, useByTime(chosen.load())))));
  }

  private static List<Result> results(List<Tried> tried) {
    return tried.stream().map(Tried::result).toList();
  }

  private List<Point> bySize(List<Result> results) {
    return results.stream().map(r -> {
      double size = wish.ssdBytes(r.capacity()) / unit;
      return new Point(size, PERCENT * r.offload(),
          Text.number(size) + " " + unitName + ": " + Text.percent(r.offload()));
    }).toList();
  }

  /** @param values one for each of equal spans of the trace; below 0: none */
  private static List<Point> byTime(double[] values, double spanHours, double unit) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (values[i] >= 0) {
        points.add(new Point((i + 0.5) * spanHours, values[i] / unit, null));
      }
    }
    return points;
  }

  private static List<Point> offloadByTime(Result result) {
    return byTime(result.spanOffload(), result.spanHours(), 1 / PERCENT);
  }

  private List<Point> useByTime(DiskLoad load) {
    return byTime(load.hourSeconds(), 1, data.disk().count() * SECONDS_PER_HOUR / PERCENT);
  }

  private Result atThisSize(List<Result> results) {
    return results.stream().filter(r -> r.capacity() == wish.capacity()).findFirst().orElseThrow();
  }

  private void tables() {
    table("Sizes of the SSD", data.sizes());
    table("Endurances, on this SSD", data.endurances());
    table("Page sizes, on this SSD", data.pageSizes());
  }

  private void table(String title, List<Tried> tried) {
    report.heading(title).table(table(data, tried));
  }

  /** @return a line for each simulation; a hyphen if the trace is too short. */
  public static Table table(Recommendation data, List<Tried> tried) {
    boolean hasPrice = data.wish().price() > 0;
    List<String> columns = new ArrayList<>(List.of(">SSD", ">page", ">allowed/day", ">offload",
        ">HDD saved", ">full after", ">written/day", ">life"));
    if (hasPrice) {
      columns.add(">price/TB of reads");
    }
    Table table = new Table(columns);
    for (Tried each : tried) {
      Estimate estimate = each.estimate();
      List<String> cells = new ArrayList<>(List.of(
          Sizes.text(Math.round(data.wish().ssdBytes(each.result().capacity()))),
          Sizes.text(each.result().pageSize()), Text.number(estimate.allowed()),
          estimate.offloads().percent(), Text.percent(estimate.diskTimeSaved()),
          estimate.filledHours() == null ? "-" : Text.length(estimate.filledHours()),
          estimate.isSteady() ? estimate.writes().text("%.2f", "") : "-", estimate.yearsText()));
      if (hasPrice) {
        cells.add(
            estimate.pricePerTb() == null ? "-" : estimate.pricePerTb().text("%.3f", ""));
      }
      table.row(each.result().capacity() == data.chosen().capacity()
          && each.result().pageSize() == data.chosen().pageSize()
          && estimate.allowed() == data.estimate().allowed(), cells);
    }
    return table;
  }

  private void method(String source) {
    TraceStat stat = data.stat();
    report.heading("Where this comes from").text(Text.format("Trace: %s, %s, %s: %s of %s, "
        + "%s of %s on average; %s read.", source,
        Instant.ofEpochMilli(stat.start()), Text.length(stat.hours()), Text.count(stat.reads(), "read"),
        Sizes.text(Math.round(stat.sizes().mean())), Text.count(stat.blocksRead(), "block"),
        Sizes.text(Math.round(stat.averageBlockBytes())), Sizes.text(stat.readBytes())));
    report.text(Text.format("The trace was played to the rate limiter that runs in the DataNode, "
        + "and to the pages of a local cache with the DataNode's eviction. Pages may take 90 %% of "
        + "the SSD. A page takes the space of the parts of it that were read. The blocks are on "
        + "%s. One is busy %s ms for each visit, and then reads %s MB/s; visits queue. A read that "
        + "closes early counts as far as the DataNode had sent it. Tomorrow's reads "
        + "may differ from those of this trace.", Text.count(data.disk().count(), "HDD"),
        Text.number(data.disk().seekMillis()), Text.number(data.disk().bytesPerSecond() / 1e6)));
  }
}
