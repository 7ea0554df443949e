/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.harness.Report.Axis;
import io.hdfslocalcache.harness.Report.Chart;
import io.hdfslocalcache.harness.Report.Look;
import io.hdfslocalcache.harness.Report.Point;
import io.hdfslocalcache.harness.Report.Series;
import io.hdfslocalcache.harness.Table;
import org.apache.commons.math3.stat.StatUtils;

/** All measurements of a run. */
final class Results {

  private static final String STOCK = Variant.STOCK.name();
  /** The figures in tables. */
  private static final List<String> SHOWN = List.of("MB/s", "reads/s", "p50 us", "p99 us",
      "CPU-s/GB", "CPU us/read", "client CPU-s/GB", "reads", "writes", "write p99 us", "HDD reads",
      "written/filled", "SSD bytes written", "written/served", "first gain s", "reads/s / before");
  /** Suffix of the path of a part of a load, which is in the JSON and in the chart. */
  private static final String SPAN = ".*/\\d+-\\d+s";

  private final Map<String, Object> environment;
  private final List<String> notes = new ArrayList<>();
  /** By load and DataNode, figure, and round. */
  private final Map<Place, Map<String, Map<Integer, Double>>> rounds = new LinkedHashMap<>();
  private final List<Timeline> timelines = new ArrayList<>();
  /** Loads and DataNodes without ratios to stock. */
  private final List<Place> refused = new ArrayList<>();

  /** Stage and load, such as {@code hit/seq-1}, and the name of the variant. */
  private record Place(String path, String dataNode) {

    /** @return whether the figures of another place are compared with these, or are a part of them. */
    boolean concerns(Place other) {
      return (other.path + '/').startsWith(path)
          && (dataNode.equals(STOCK) || dataNode.equals(other.dataNode));
    }
  }

  /** The reads in each second of a measurement. */
  private record Timeline(String path, String dataNode, int round, long[] readsBySecond) {
  }

  /** A figure of all rounds: its median and range; in JSON a list. */
  record Spread(double median, double min, double max) {

    private static final MathContext DIGITS = new MathContext(5);

    static Spread of(Collection<Double> values) {
      if (values.isEmpty()) {
        return null;
      }
      double[] all = values.stream().mapToDouble(value -> value).toArray();
      return new Spread(
          StatUtils.percentile(all, 50), StatUtils.min(all), StatUtils.max(all));
    }

    @JsonValue
    List<BigDecimal> toJson() {
      return Stream.of(median, min, max).map(value -> new BigDecimal(value, DIGITS)).toList();
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.4g (%.4g to %.4g)", median, min, max);
    }
  }

  /** A figure with its ratios to other DataNodes in the same round. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Figure(Spread measured, Spread againstStock, Spread againstBefore) {

    /** @param dataNode null: none */
    Spread against(String dataNode) {
      return dataNode == null ? measured
          : dataNode.equals(STOCK) ? againstStock : againstBefore;
    }

    String median() {
      return String.format(Locale.ROOT, "%.4g", measured.median) + (againstStock == null ? ""
          : String.format(Locale.ROOT, " (%.3g)", againstStock.median));
    }
  }

  /** A DataNode with one load. */
  private record Measured(String path, String dataNode, Map<String, Figure> figures) {
  }

  /** Whether a goal is reached. @param compared null: nothing to compare with */
  record Verdict(String path, String dataNode, String goal, Spread compared,
      boolean reached) {
  }

  Results(Map<String, Object> environment) {
    this.environment = environment;
  }

  void add(String path, String dataNode, int round, Map<String, Double> figures) {
    Map<String, Map<Integer, Double>> own =
        rounds.computeIfAbsent(new Place(path, dataNode), first -> new LinkedHashMap<>());
    figures.forEach((name, value) ->
        own.computeIfAbsent(name, first -> new TreeMap<>()).put(round, value));
  }

  /** Adds the reads of each second. */
  void add(String path, String dataNode, int round, long[] readsBySecond) {
    timelines.add(new Timeline(path, dataNode, round, readsBySecond));
  }

  /** Leaves out all ratios to stock, and says why they are not valid. */
  void refuseRatios(String why) {
    refused.add(new Place("", STOCK));
    note("No ratios: " + why);
  }

  /** Leaves out those of a DataNode with a load; of stock: those of all. */
  void refuseRatios(String path, String dataNode, String why) {
    refused.add(new Place(path + '/', dataNode));
    note("No ratios of " + path + " of " + dataNode + ": " + why);
  }

  boolean hasRatios(String path, String dataNode) {
    return refused.stream().noneMatch(place -> place.concerns(new Place(path, dataNode)));
  }

  /** Adds a note for the reader. */
  void note(String note) {
    System.out.println(note);
    if (!notes.contains(note)) {
      notes.add(note);
    }
  }

  boolean isEmpty() {
    return rounds.isEmpty();
  }

  /** @return the ratio to another DataNode's figure in the same round, or null. */
  private Spread against(String other, String path, String dataNode, String figure) {
    if (!hasRatios(path, dataNode) || dataNode.equals(other)) {
      return null;
    }
    Map<Integer, Double> others = rounds(path, other, figure);
    Map<Integer, Double> ratios = new TreeMap<>(rounds(path, dataNode, figure));
    ratios.keySet().retainAll(others.keySet());
    ratios.replaceAll((round, value) -> value / others.get(round));
    // The other has a figure of 0.
    ratios.values().removeIf(ratio -> !Double.isFinite(ratio));
    return Spread.of(ratios.values());
  }

  private Map<Integer, Double> rounds(String path, String dataNode, String figure) {
    return rounds.getOrDefault(new Place(path, dataNode), Map.of())
        .getOrDefault(figure, Map.of());
  }

  private List<Measured> measured() {
    List<Measured> all = new ArrayList<>();
    rounds.forEach((place, own) -> {
      Map<String, Figure> figures = new LinkedHashMap<>();
      own.forEach((name, values) -> figures.put(name, new Figure(Spread.of(values.values()),
          against(STOCK, place.path, place.dataNode, name),
          against(place.dataNode + Variant.BEFORE, place.path, place.dataNode, name))));
      all.add(new Measured(place.path, place.dataNode, figures));
    });
    return all;
  }

  List<Verdict> verdicts() {
    List<Verdict> verdicts = new ArrayList<>();
    for (Measured measured : measured()) {
      for (Goal goal : Goal.ALL) {
        Figure figure = measured.figures.get(goal.figure());
        if (figure == null || !goal.isAbout(measured.path, measured.dataNode)
            || goal.against() != null && !hasRatios(measured.path, measured.dataNode)
            || goal.isAgainstBefore() && figure.againstBefore == null) {
          continue;
        }
        Spread compared = figure.against(goal.against());
        Spread noise =
            against(STOCK, measured.path, Variant.STOCK_AGAIN.name(), goal.figure());
        verdicts.add(new Verdict(measured.path, measured.dataNode, goal.toString(), compared,
            compared != null && (goal.isReached(compared.median) || goal.isOfNoDifference()
                && noise != null && noise.min <= compared.median
                && compared.median <= noise.max)));
      }
    }
    return verdicts;
  }

  /** @return the goals and measurements as text. */
  String text() {
    return report().text();
  }

  private Report report() {
    Report report = new Report("Local cache against stock");
    environment.forEach((name, value) -> report.text(name + ": " + value));
    notes.forEach(report::text);
    Table goals = new Table("path", "DataNode", "goal", "is", "reached");
    verdicts().forEach(verdict -> goals.row(!verdict.reached, List.of(verdict.path,
        verdict.dataNode, verdict.goal, String.valueOf(verdict.compared),
        verdict.reached ? "yes" : "no")));
    report.heading("Goals: median, and range of the rounds").table(goals);
    List<Measured> shown =
        measured().stream().filter(measured -> !measured.path.matches(SPAN)).toList();
    List<String> names = SHOWN.stream().filter(name ->
        shown.stream().anyMatch(measured -> measured.figures.containsKey(name))).toList();
    List<String> columns = new ArrayList<>(List.of("path", "DataNode"));
    names.forEach(name -> columns.add(">" + name));
    Table table = new Table(columns);
    for (Measured measured : shown) {
      List<String> cells = new ArrayList<>(List.of(measured.path, measured.dataNode));
      names.forEach(name -> cells.add(measured.figures.containsKey(name)
          ? measured.figures.get(name).median() : ""));
      table.row(cells);
    }
    report.heading("Medians, in brackets the ratio to stock").table(table);
    if (!timelines.isEmpty()) {
      report.chart(new Chart("Reads a second from a saturated HDD", null, Axis.of("seconds"),
          Axis.of("reads/s"), timelines.stream().map(line -> new Series(line.dataNode,
              line.dataNode.equals(STOCK) ? Look.LOW : Look.MAIN,
              // The reads of a second are shown at its middle.
              IntStream.range(0, line.readsBySecond.length)
                  .mapToObj(i -> new Point(i + 0.5, line.readsBySecond[i], null)).toList()))
              .toList()));
    }
    return report;
  }

  /**
   * Writes all results.
   *
   * @param json the file for programs
   * @param html the page for people
   */
  void write(Path json, Path html) throws IOException {
    Files.writeString(html, report().html());
    Map<String, List<?>> all = new LinkedHashMap<>();
    all.put("environment", List.of(environment));
    all.put("notes", notes);
    all.put("goals", verdicts());
    all.put("measured", measured());
    all.put("timelines", timelines);
    Files.writeString(json, Report.json(all));
  }

  /**
   * A goal for a figure.
   *
   * @param path regular expression
   * @param dataNode regular expression
   * @param against the DataNode to compare with, or the end of its name, or null
   * @param isAtLeast whether the limit is a minimum, not a maximum
   */
  record Goal(String path, String dataNode, String figure, String against, boolean isAtLeast,
      double limit) {

    private static final String ANY = ".*";
    private static final String OURS = "local cache";
    private static final String MEMORY = "in memory";
    private static final String SSD = "from SSD";
    private static final String SEQUENTIAL = "hit/seq-.*";
    private static final String PREAD = "hit/pread-(4k|64k)-(1|8)";

    static final List<Goal> ALL = List.of(
        new Goal(SEQUENTIAL, MEMORY, "MB/s", STOCK, true, 0.97),
        new Goal(SEQUENTIAL, MEMORY, "CPU-s/GB", STOCK, false, 0.85),
        new Goal(SEQUENTIAL, SSD, "CPU-s/GB", STOCK, false, 1.20),
        new Goal(PREAD, MEMORY, "p50 us", STOCK, false, 1.00),
        new Goal(PREAD, MEMORY, "p99 us", STOCK, false, 1.00),
        new Goal(PREAD, MEMORY, "CPU us/read", STOCK, false, 1.00),
        new Goal("hit/pread-64k-64", ANY, "reads/s / 8 readers", null, true, 1.00),
        new Goal("bypass/seq-1", ANY, "MB/s", STOCK, true, 0.99),
        new Goal("bypass/seq-1", ANY, "CPU-s/GB", STOCK, false, 1.01),
        new Goal("bypass/pread.*", ANY, "reads/s", STOCK, true, 0.99),
        new Goal("bypass/pread.*", ANY, "p50 us", STOCK, false, 1.01),
        new Goal("(bypass|miss)/pread.*", ANY, "CPU us/read", STOCK, false, 1.01),
        new Goal("fill/seq-1", ANY, "MB/s", STOCK, true, 0.97),
        new Goal("fill/pread.*", ANY, "p50 us", STOCK, false, 1.05),
        new Goal("fill/pread.*", ANY, "p99 us", STOCK, false, 1.10),
        new Goal("ssd/seq-1", SSD, "MB/s", STOCK, true, 1.50),
        new Goal("ssd/seq-1", SSD, "CPU-s/GB", STOCK, false, 0.60),
        new Goal("ssd/pread.*", SSD, "reads/s", STOCK, true, 1.00),
        new Goal("ssd/pread.*", SSD, "CPU us/read", STOCK, false, 1.00),
        new Goal("ssd/pread.*", SSD, "p50 us", STOCK, false, 1.10),
        new Goal("ssd/pread.*", SSD, "p99 us", STOCK, false, 1.10),
        new Goal("hdd/cold-hits", "local cache", "HDD reads", null, false, 0),
        new Goal("hdd/mixed-hot", "local cache", "MB/s", STOCK, true, 20),
        new Goal("hdd/ssd-writes", "local cache", "written/filled", null, false, 1.05),
        new Goal("saturated/.*/\\d+-\\d+s", ANY, "reads", STOCK, true, 0.95),
        new Goal("saturated/.*/all-100s", ANY, "reads", STOCK, true, 1.8),
        new Goal("saturated/.*/from-60s", ANY, "reads", STOCK, true, 2.5),
        new Goal("peers/saturated/\\d+-\\d+s", OURS, "reads", STOCK, true, 0.95),
        new Goal("peers/saturated", OURS, "reads", STOCK, true, 2.5),
        new Goal("peers/restart", OURS, "reads/s / before", null, true, 0.8),
        new Goal(ANY, ANY, "reads/s", Variant.BEFORE, true, 1.00),
        new Goal(ANY, ANY, "p50 us", Variant.BEFORE, false, 1.00),
        new Goal(ANY, ANY, "p99 us", Variant.BEFORE, false, 1.00),
        new Goal(ANY, ANY, "CPU-s/GB", Variant.BEFORE, false, 1.00));

    boolean isAbout(String measuredPath, String measuredDataNode) {
      return !measuredDataNode.startsWith(STOCK)
          && !measuredDataNode.endsWith(Variant.BEFORE) && measuredPath.matches(path)
          && measuredDataNode.matches(dataNode);
    }

    /** @return whether missing it by no more than the noise of stock still counts. */
    boolean isOfNoDifference() {
      return path.contains("bypass") || isAgainstBefore();
    }

    boolean isAgainstBefore() {
      return Variant.BEFORE.equals(against);
    }

    boolean isReached(double value) {
      return isAtLeast ? value >= limit : value <= limit;
    }

    @Override
    public String toString() {
      return figure + (isAtLeast ? " at least " : " at most ") + limit
          + (against == null ? "" : " x " + against.trim());
    }
  }
}
