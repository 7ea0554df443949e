/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.harness.Report.Axis;
import io.hdfslocalcache.harness.Report.Chart;
import io.hdfslocalcache.harness.Report.Look;
import io.hdfslocalcache.harness.Report.Point;
import io.hdfslocalcache.harness.Report.Series;
import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.replay.recommend.Recommender.Recommendation;
import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.simulate.Result.ResultTable;
import io.hdfslocalcache.replay.stat.TraceStat;
import io.hdfslocalcache.replay.text.Text;

/** A recommendation for people who decide. */
public final class RecommendationReport {

  /** For how long makers of SSDs promise the writes that they allow in a day. */
  private static final int PROMISED_YEARS = 5;
  /** Who looks further ahead replaces the host before. */
  private static final int MOST_YEARS = 20;
  /** So little more offload is none. */
  private static final double SAME_OFFLOAD = 0.001;
  private static final double DAY_HOURS = 24;
  private static final double PERCENT = 100;
  private static final double GB = 1L << 30;
  private static final double TB = 1L << 40;
  private static final double MILLIS = 1000;
  private static final double MINUTES_PER_HOUR = 60;
  private static final double SECONDS_PER_HOUR = 3600;
  private static final String OFFLOAD = "offload, %";
  private static final String HOURS = "hours since the local cache was empty";
  private static final String RECOMMENDED = "recommended";

  private final Recommendation data;
  private final Wish wish;
  private final Result chosen;
  /** The unit of sizes: a TB, or a GB for small SSDs. */
  private final double unit;
  private final String unitName;
  private final Report report;

  private RecommendationReport(Recommendation data, String host) {
    this.data = data;
    this.wish = data.wish();
    this.chosen = data.chosen();
    this.unit = wish.ssdBytes() >= TB ? TB : GB;
    this.unitName = unit == TB ? "TB" : "GB";
    this.report = new Report("A local cache of " + Text.bytes(wish.ssdBytes()) + " for " + host);
  }

  /**
   * Makes a report.
   *
   * @param source where the trace came from
   * @param keys the recommended keys
   * @param host whose local cache it is to be, in words
   */
  public static Report of(Recommendation data, String source, Map<String, String> keys,
      String host) {
    RecommendationReport made = new RecommendationReport(data, host);
    made.summary();
    made.charts();
    made.report.heading("For hdfs-site.xml").code(SiteFragment.xml(keys));
    made.tables();
    made.method(source);
    return made.report;
  }

  private String drives(Result result) {
    return Text.format("%.2f", wish.drivesPerDay(result));
  }

  private void summary() {
    String allowed = Text.number(wish.drivesPerDay());
    report.lead(Text.format("%s of the bytes that clients read would come from the SSD instead of "
            + "the HDDs, whose heads would be busy %s less.",
            Text.percent(chosen.offload()), Text.percent(chosen.diskTimeSaved())))
        .figure(Text.percent(chosen.offload()), "offload: bytes from the SSD")
        .figure(Text.percent(chosen.requestHitRate()), "reads from the SSD alone")
        .figure(Text.percent(chosen.reuseRate()), "reuse: hits among reads of admitted blocks")
        .figure(drives(chosen), "writes of the whole SSD a day, its first filling included; "
            + allowed + " are allowed")
        .figure(years(chosen), Text.format("life of the SSD, if its maker promises %s writes a "
            + "day for %d years", allowed, PROMISED_YEARS))
        .figure(Text.count(chosen.diskReadsSaved()), Text.format("HDD reads saved in %.1f hours",
            data.stat().hours()))
        .figure(Text.bytes(chosen.heapBytes()), "of the DataNode's heap")
        .text(Text.format("The limiter itself keeps the writes within %s of the SSD a day, beside "
            + "filling it once. %s", allowed, whyNotMore()));
  }

  /** @return how long the SSD lasts at the writes of a result, its first filling left out. */
  private String years(Result result) {
    double again = Math.max(0, result.bytesWritten() - result.capacity())
        / (data.stat().hours() / DAY_HOURS) / wish.ssdBytes(result);
    double years = PROMISED_YEARS * wish.drivesPerDay() / again;
    return years > MOST_YEARS ? "more than " + MOST_YEARS + " years"
        : Text.format("%.1f years", years);
  }

  /** @return why it is not the limiter that takes the most reads off the HDDs on this trace. */
  private String whyNotMore() {
    Result best = data.limiters().stream()
        .filter(tried -> !tried.limiter().equals(chosen.limiter()))
        .max(Comparator.comparingDouble(Result::offload)).orElseThrow();
    if (best.offload() <= chosen.offload() + SAME_OFFLOAD) {
      return "No limiter that was tried brings more offload on this SSD.";
    }
    String more = Text.format("The limiter %s with X = %s and Y = %s would bring an offload of %s, "
        + "but ", best.limiter(), best.x(), best.y(), Text.percent(best.offload()));
    return wish.drivesPerDay(best) > wish.drivesPerDay()
        ? more + Text.format("write the SSD %s times a day: it would last %s instead of %s.",
            drives(best), years(best), years(chosen))
        : more + "nothing would keep its writes within what the SSD endures when the reads change: "
            + "its threshold is fixed.";
  }

  private void charts() {
    report.chart(new Chart("What a larger SSD would bring", "Each size with the recommended "
        + "limiter, without limiter (LRU that admits all), and with foresight (Belady's MIN on "
        + "pages), which nothing real reaches.",
        Axis.log("size of the SSD, " + unitName), Axis.percent(OFFLOAD), List.of(
        new Series("clairvoyant bound", Look.HIGH, bySize(data.clairvoyant())),
        new Series("recommended limiter", Look.MAIN, bySize(data.sizes())),
        new Series("no limiter", Look.LOW, bySize(data.admitAll())))));
    report.chart(new Chart("What the writes buy", "Each point is a threshold and a window of the "
        + "limiter. Left is easy on the SSD, up is easy on the HDDs.",
        Axis.of("writes of the whole SSD in a day"), Axis.percent(OFFLOAD), byWrites()));
    report.chart(new Chart("How it goes over time", "The local cache is empty at the beginning.",
        Axis.of(HOURS), Axis.percent(OFFLOAD), List.of(
        new Series("clairvoyant bound", Look.HIGH, offloadByTime(atThisSize(data.clairvoyant()))),
        new Series(RECOMMENDED, Look.MAIN, offloadByTime(chosen)))));
    report.chart(new Chart("What the HDDs do over time", Text.format("Of each hour, on average of "
        + "%s; above 100 %% they fall behind. In hour %d, the worst, they would be busy %s of the "
        + "time that they are without a local cache.", Text.count(data.disk().count(), "HDD"),
        chosen.worstHour(), Text.percent(chosen.worstHourDiskTime())),
        Axis.of(HOURS), Axis.of("HDDs' heads busy, %"),
        withAndWithout(useByTime(chosen.loadWithout()), useByTime(chosen.load()))));
    report.chart(new Chart("What readers wait for the HDDs", Text.format("In each %s. A read from "
        + "the SSD alone waits 0 s. %s", Text.count(chosen.load().slotMinutes(), "minute"),
        backlog()), Axis.of(HOURS), Axis.of("wait of 99 % of the reads at most, s"),
        withAndWithout(waitByTime(chosen.loadWithout()), waitByTime(chosen.load()))));
    report.chart(new Chart("Why it works: few blocks draw most reads", Text.format("The top %s "
        + "blocks of an hour draw %s of its reads.", Text.count(data.stat().top().blocks()),
        Text.percent(data.stat().top().reads())), Axis.log("blocks, the most read first"),
        Axis.percent("share of all reads, %"), List.of(new Series("", Look.MAIN,
        data.skew().stream().map(skew -> new Point(skew.blocks(), PERCENT * skew.reads(),
            Text.count(skew.blocks(), "block") + ": " + Text.percent(skew.reads())
                + " of the reads")).toList()))));
  }

  private List<Point> bySize(List<Result> results) {
    return results.stream().map(r -> new Point(wish.ssdBytes(r) / unit, PERCENT * r.offload(),
        Text.number(wish.ssdBytes(r) / unit) + " " + unitName + ": " + Text.percent(r.offload())
            + ", " + drives(r) + " writes of the SSD a day")).toList();
  }

  private Point byWrites(Result r) {
    String what = r.x().equals("-") ? r.limiter() : "more than " + r.x() + " reads in " + r.y();
    return new Point(wish.drivesPerDay(r), PERCENT * r.offload(), what + ": "
        + Text.percent(r.offload()) + ", " + drives(r) + " writes of the SSD a day");
  }

  private List<Series> byWrites() {
    List<Point> points = data.limiters().stream().map(this::byWrites)
        .sorted(Comparator.comparingDouble(Point::x)).toList();
    List<Point> best = new ArrayList<>();
    double most = -1;
    for (Point p : points) {
      if (p.y() > most) {
        most = p.y();
        best.add(p);
      }
    }
    double allowed = wish.drivesPerDay();
    return List.of(
        new Series(RECOMMENDED, Look.CHOSEN, List.of(byWrites(chosen))),
        new Series("best at so many writes", Look.MAIN, best),
        new Series("tried", Look.POINTS, points),
        new Series("allowed", Look.LIMIT,
            List.of(new Point(allowed, 0, null), new Point(allowed, PERCENT, null))));
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

  private static List<Point> waitByTime(DiskLoad load) {
    return byTime(load.slotP99WaitMillis(), load.slotMinutes() / MINUTES_PER_HOUR, MILLIS);
  }

  private Result atThisSize(List<Result> results) {
    return results.stream().filter(r -> r.capacity() == wish.capacity()).findFirst().orElseThrow();
  }

  private static List<Series> withAndWithout(List<Point> without, List<Point> with) {
    return List.of(new Series("without local cache", Look.LOW, without),
        new Series(RECOMMENDED, Look.MAIN, with));
  }

  private String backlog() {
    DiskLoad without = chosen.loadWithout();
    DiskLoad with = chosen.load();
    return Text.format("Minutes with a backlog: %s without a local cache, %s with it; minutes "
        + "until the longest is gone: %s and %s.", Text.count(without.backlogMinutes()),
        Text.count(with.backlogMinutes()), without.relief(), with.relief());
  }

  private void tables() {
    table("Sizes of the SSD, with the recommended limiter", data.sizes());
    table("Limiters, on this SSD", data.limiters());
    table("Page sizes, with the recommended limiter", data.pageSizes());
    table("Sizes, without limiter", data.admitAll());
    table("Sizes, with foresight", data.clairvoyant());
    report.text(ResultTable.LEGEND);
  }

  private void table(String title, List<Result> results) {
    Table table = ResultTable.empty();
    results.forEach(r -> table.row(isChosen(r), ResultTable.cells(r)));
    report.heading(title).table(table);
  }

  private boolean isChosen(Result r) {
    return r.capacity() == chosen.capacity() && r.limiter().equals(chosen.limiter())
        && r.x().equals(chosen.x()) && r.y().equals(chosen.y())
        && r.pageSize() == chosen.pageSize();
  }

  private void method(String source) {
    TraceStat stat = data.stat();
    report.heading("Where this comes from").text(Text.format("Trace: %s, %s, %.1f hours: %s of %s, "
        + "%s of %s on average; %s read. Zipf exponent %.2f.", source,
        Instant.ofEpochMilli(stat.start()), stat.hours(), Text.count(stat.reads(), "read"),
        Text.bytes(Math.round(stat.sizes().mean())), Text.count(stat.blocksRead(), "block"),
        Text.bytes(Math.round(stat.averageBlockBytes())), Text.bytes(stat.readBytes()),
        stat.zipfExponent()));
    report.text(Text.format("The trace was played to the rate limiter that runs in the DataNode, "
        + "and to the pages of a local cache with the DataNode's eviction. Pages may take 90 %% of "
        + "the SSD. A page takes the space of the parts of it that were read. The blocks are on "
        + "%s. One is busy %s ms for each visit, and then reads %s MB/s; visits queue. A read that "
        + "closes early counts as far as the DataNode had sent it. The first filling counts among "
        + "the writes, so a short trace shows more of them a day than a long one. Tomorrow's reads "
        + "may differ from those of this trace.", Text.count(data.disk().count(), "HDD"),
        Text.number(data.disk().seekMillis()), Text.number(data.disk().bytesPerSecond() / 1e6)));
  }
}
