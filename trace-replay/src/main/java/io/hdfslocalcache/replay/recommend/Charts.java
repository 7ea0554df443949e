/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.Chart;
import io.hdfslocalcache.harness.Chart.Axis;
import io.hdfslocalcache.harness.Chart.Look;
import io.hdfslocalcache.harness.Chart.Point;
import io.hdfslocalcache.replay.recommend.Recommender.Recommendation;
import io.hdfslocalcache.replay.simulate.Disk.DiskLoad;
import io.hdfslocalcache.replay.simulate.Result;
import io.hdfslocalcache.replay.stat.TraceStat.Skew;
import io.hdfslocalcache.replay.text.Text;

/** The charts of a report. */
final class Charts {

  private static final double PERCENT = 100;
  private static final double GB = 1L << 30;
  private static final double TB = 1L << 40;
  private static final double MILLIS = 1000;
  private static final double MINUTES_PER_HOUR = 60;
  private static final double SECONDS_PER_HOUR = 3600;
  private static final String OFFLOAD = "offload, %";
  private static final String HOURS = "hours since the local cache was empty";

  private final Recommendation data;
  /** The unit of sizes: a TB, or a GB for small SSDs. */
  private final double unit;
  private final String unitName;

  Charts(Recommendation data) {
    this.data = data;
    this.unit = data.wish().ssdBytes() >= TB ? TB : GB;
    this.unitName = unit == TB ? "TB" : "GB";
  }

  /** @return size of the SSD on which pages may take this much. */
  private double ssd(Result result) {
    return data.wish().ssdBytes(result) / unit;
  }

  private double drives(Result result) {
    return data.wish().drivesPerDay(result);
  }

  private List<Point> bySize(List<Result> results) {
    List<Point> points = new ArrayList<>();
    for (Result r : results) {
      points.add(new Point(ssd(r), PERCENT * r.offload(), Text.format("%s %s: %.1f %%, %.2f "
          + "writes of the SSD a day", Axis.text(ssd(r)), unitName, PERCENT * r.offload(),
          drives(r))));
    }
    return points;
  }

  String offloadBySize() {
    List<Double> ticks = new ArrayList<>();
    data.sizes().forEach(r -> ticks.add(ssd(r)));
    return new Chart(Axis.log("size of the SSD, " + unitName, ticks.get(0),
            ticks.get(ticks.size() - 1), ticks), Axis.percent(OFFLOAD))
        .add("clairvoyant bound", Look.HIGH, bySize(data.clairvoyant()))
        .add("recommended limiter", Look.MAIN, bySize(data.sizes()))
        .add("no limiter", Look.LOW, bySize(data.admitAll()))
        .svg("Offload against the size of the SSD");
  }

  private Point byWrites(Result r) {
    String what = r.x().equals("-") ? r.limiter()
        : Text.format("more than %s reads in %s", r.x(), r.y());
    return new Point(drives(r), PERCENT * r.offload(), Text.format("%s: %.1f %%, %.2f writes of "
        + "the SSD a day", what, PERCENT * r.offload(), drives(r)));
  }

  String offloadByWrites() {
    List<Point> points = new ArrayList<>();
    data.limiters().forEach(r -> points.add(byWrites(r)));
    points.sort(Comparator.comparingDouble(Point::x));
    List<Point> best = new ArrayList<>();
    double most = -1;
    for (Point p : points) {
      if (p.y() > most) {
        most = p.y();
        best.add(new Point(p.x(), p.y(), null));
      }
    }
    double right = Math.max(points.get(points.size() - 1).x(), data.wish().drivesPerDay());
    return new Chart(Axis.upTo("writes of the whole SSD in a day", 1.05 * right),
            Axis.percent(OFFLOAD))
        .limit(data.wish().drivesPerDay(), "allowed")
        .add("best at so many writes", Look.MAIN, best)
        .add("tried", Look.POINTS, points)
        .add("recommended", Look.CHOSEN, List.of(byWrites(data.chosen())))
        .svg("Offload against what is written to the SSD");
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

  private static double highest(List<Point> one, List<Point> other) {
    return Stream.concat(one.stream(), other.stream()).mapToDouble(Point::y).max().orElse(0);
  }

  private Result atThisSize(List<Result> results) {
    return results.stream().filter(r -> r.capacity() == data.wish().capacity())
        .findFirst().orElseThrow();
  }

  String offloadOverTime() {
    return new Chart(Axis.upTo(HOURS, data.stat().hours()),
            Axis.percent(OFFLOAD))
        .add("clairvoyant bound", Look.HIGH, offloadByTime(atThisSize(data.clairvoyant())))
        .add("recommended", Look.MAIN, offloadByTime(data.chosen()))
        .svg("Offload over time");
  }

  String useOverTime() {
    return withAndWithout("HDDs' heads busy, %", useByTime(data.chosen().loadWithout()),
        useByTime(data.chosen().load()), "Use of the HDDs over time");
  }

  String waitOverTime() {
    return withAndWithout("wait of 99 % of the reads at most, s",
        waitByTime(data.chosen().loadWithout()), waitByTime(data.chosen().load()),
        "Wait for the HDDs over time");
  }

  private String withAndWithout(String title, List<Point> without, List<Point> with,
      String label) {
    return new Chart(Axis.upTo(HOURS, data.stat().hours()),
            Axis.upTo(title, highest(without, with)))
        .add("without local cache", Look.LOW, without)
        .add("recommended", Look.MAIN, with)
        .svg(label);
  }

  String skew() {
    List<Point> points = new ArrayList<>();
    List<Double> ticks = new ArrayList<>();
    for (Skew skew : data.skew()) {
      points.add(new Point(skew.blocks(), PERCENT * skew.reads(), Text.format(
          "%s: %.1f %% of the reads", Text.count(skew.blocks(), "block"),
          PERCENT * skew.reads())));
    }
    for (double tick = 1; tick <= data.stat().blocksRead(); tick *= 10) {
      ticks.add(tick);
    }
    return new Chart(Axis.log("blocks, the most read first", 1, data.stat().blocksRead(), ticks),
            Axis.percent("share of all reads, %"))
        .add("", Look.MAIN, points).svg("Share of the reads on the blocks read most");
  }
}
