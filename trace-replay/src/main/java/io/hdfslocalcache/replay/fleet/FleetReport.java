/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.fleet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.Chart;
import io.hdfslocalcache.harness.Chart.Axis;
import io.hdfslocalcache.harness.Chart.Look;
import io.hdfslocalcache.harness.Chart.Point;
import io.hdfslocalcache.harness.Html;
import io.hdfslocalcache.replay.simulate.FleetResult;
import io.hdfslocalcache.replay.simulate.FleetResult.DataNode;
import io.hdfslocalcache.replay.text.Text;

/** What local caches would do for a fleet, as text and as a single file of HTML. */
public final class FleetReport {

  private static final String SETTINGS = "%-44s %4s %5s %7s %8s %8s %8s %9s %6s %6s %13s %9s%n";
  private static final String DATANODES = "%-44s %10s %9s %6s %8s %9s %6s %9s%n";
  private static final String LEGEND = """
  SSD: of each DataNode; offload: share of bytes from SSDs; SSD/day: bytes written to the SSD of a
  DataNode in a day, the first filling included; DWPD: the same in multiples of what pages may take;
  copies: SSDs that a page is on, mean; load: bytes an hour read from a DataNode, the mean being 1,
  from the least to the most; HDD time: share of head time saved
  """;
  private static final double PERCENT = 100;
  private static final double GB = 1L << 30;
  /** What a chart can show, and how. */
  private static final Look[] LOOKS = {Look.LOW, Look.MAIN, Look.HIGH};

  private final List<FleetResult> results;
  private final List<FleetResult> shown;
  private final List<String> failures;
  private final StringBuilder text = new StringBuilder();

  /**
   * Makes a report.
   *
   * @param results a line of the table for each
   * @param shown those of them of which each DataNode is told; charts have the first three, and
   *     the first is what the page is about
   * @param failures for each trace that cannot be used, its name and why
   */
  public FleetReport(List<FleetResult> results, List<FleetResult> shown, List<String> failures) {
    this.results = results;
    this.shown = shown;
    this.failures = failures;
  }

  private void append(String format, Object... args) {
    text.append(Text.format(format, args));
  }

  /** @return the tables: of all settings, and of the DataNodes. */
  public String text() {
    text.setLength(0);
    append(SETTINGS, "", "X", "Y", "page", "SSD", "offload", "read", "SSD/day", "DWPD", "copies",
        "load", "HDD time");
    results.forEach(this::setting);
    append("%n%s", LEGEND);
    failures.forEach(failure -> append("not played: %s%n", failure));
    shown.forEach(this::dataNodes);
    return text.toString();
  }

  private void setting(FleetResult r) {
    double perDay = mean(r, DataNode::writtenPerDay);
    append(SETTINGS, r.title(), r.x(), r.y(), Text.bytes(r.pageSize()), Text.bytes(r.capacity()),
        Text.percent(r.total().offload()), Text.bytes(r.total().bytes()),
        Text.bytes(Math.round(perDay)), Text.format("%.2f", perDay / r.capacity()),
        r.copies() < 0 ? "-" : Text.format("%.2f", r.copies()),
        Text.format("%.2f to %.2f", r.dataNodes().stream().mapToDouble(r::load).min().orElse(0),
            r.dataNodes().stream().mapToDouble(r::load).max().orElse(0)),
        Text.percent(r.total().hddTimeSaved()));
  }

  private static double mean(FleetResult result, ToDoubleFunction<DataNode> value) {
    return result.dataNodes().stream().mapToDouble(value).average().orElse(0);
  }

  private void dataNodes(FleetResult r) {
    append("%n%s, SSD %s, page %s%n", r.title(), Text.bytes(r.capacity()),
        Text.bytes(r.pageSize()));
    List<String> standingOut = r.standingOut();
    standingOut.forEach(sentence -> append("stands out: %s%n", sentence));
    append(DATANODES, "", "reads", "read", "load", "offload", "SSD/day", "DWPD", "HDD time");
    for (DataNode dataNode : r.dataNodes()) {
      append(DATANODES, dataNode.name(), Text.count(dataNode.reads()),
          Text.bytes(dataNode.bytes()), Text.format("%.2f", r.load(dataNode)),
          Text.percent(dataNode.offload()), Text.bytes(Math.round(dataNode.writtenPerDay())),
          Text.format("%.2f", dataNode.writtenPerDay() / r.capacity()),
          Text.percent(dataNode.hddTimeSaved()));
    }
  }

  /** @return the file, which loads nothing. @param fragment for hdfs-site.xml; empty: none */
  public String html(String fragment) throws IOException {
    FleetResult first = shown.get(0);
    StringBuilder html = new StringBuilder(Html.head("Local caches for a fleet"));
    html.append(Text.format("<h1>Local caches of %s for %s</h1>%n", Text.bytes(first.capacity()),
        Text.count(first.dataNodes().size(), "DataNode")));
    html.append(Text.format("<p class=\"lead\">%s of the bytes that clients read would come from "
        + "the SSDs instead of the HDDs, whose heads would be busy %s less (%s).</p>%n",
        Text.percent(first.total().offload()), Text.percent(first.total().hddTimeSaved()),
        Html.escape(first.title())));
    if (!first.standingOut().isEmpty()) {
      html.append("<h2>DataNodes that stand out</h2>\n<ul>\n");
      first.standingOut().forEach(sentence ->
          html.append("<li>").append(Html.escape(sentence)).append("</li>\n"));
      html.append("</ul>\n");
    }
    html.append("<div class=\"charts\">\n");
    figure(html, "Offload of each DataNode",
        byDataNode(Axis.percent("offload, %"), each -> PERCENT * each.offload()));
    figure(html, "Bytes read from each DataNode", byDataNode(
        Axis.upTo("GB an hour", most(each -> each.bytesPerHour() / GB)),
        each -> each.bytesPerHour() / GB));
    figure(html, "Bytes written to each SSD", byDataNode(
        Axis.upTo("GB a day", most(each -> each.writtenPerDay() / GB)),
        each -> each.writtenPerDay() / GB));
    if (first.spanOffload().length > 0) {
      figure(html, "How it goes over time", overTime(first));
    }
    if (results.stream().mapToLong(FleetResult::capacity).distinct().count() > 1) {
      figure(html, "What larger SSDs would bring", bySize());
    }
    html.append("</div>\n");
    if (!fragment.isEmpty()) {
      html.append("<h2>For hdfs-site.xml</h2>\n<pre>").append(Html.escape(fragment))
          .append("</pre>\n");
    }
    html.append("<h2>Figures</h2>\n<pre>").append(Html.escape(text())).append("</pre>\n");
    return html.append(Html.foot()).toString();
  }

  private static void figure(StringBuilder html, String title, Chart chart) {
    html.append("<figure><h2>").append(title).append("</h2>\n").append(chart.svg(title))
        .append("</figure>\n");
  }

  private double most(ToDoubleFunction<DataNode> value) {
    return shown.stream().flatMap(r -> r.dataNodes().stream()).mapToDouble(value).max().orElse(0);
  }

  private Stream<FleetResult> charted() {
    return shown.stream().limit(LOOKS.length);
  }

  /** What tells a result from the others that are shown. */
  private String series(FleetResult result) {
    return Stream.<Function<FleetResult, String>>of(FleetResult::name, r -> "X " + r.x(),
            r -> "Y " + r.y(), r -> "page " + Text.bytes(r.pageSize()),
            r -> "SSD " + Text.bytes(r.capacity()), FleetResult::order)
        .filter(figure -> charted().map(figure).distinct().count() > 1)
        .map(figure -> figure.apply(result)).collect(Collectors.joining(", "));
  }

  private Look look(FleetResult result) {
    return shown.size() == 1 ? Look.MAIN : LOOKS[shown.indexOf(result)];
  }

  /** The DataNodes in the order of their values. */
  private Chart byDataNode(Axis y, ToDoubleFunction<DataNode> value) {
    Chart chart = new Chart(Axis.upTo("DataNodes, from the lowest to the highest",
        shown.stream().mapToInt(r -> r.dataNodes().size()).max().orElse(1)), y);
    charted().forEach(r -> {
      List<Point> points = new ArrayList<>();
      r.dataNodes().stream().sorted((a, b) ->
          Double.compare(value.applyAsDouble(a), value.applyAsDouble(b)))
          .forEach(each -> points.add(new Point(points.size() + 1, value.applyAsDouble(each),
              Text.format("%s: %.1f", each.name(), value.applyAsDouble(each)))));
      chart.add(series(r), look(r), points);
    });
    return chart;
  }

  private Chart overTime(FleetResult first) {
    double hours = first.total().hours();
    Chart chart = new Chart(Axis.upTo("hours since the local caches were empty", hours),
        Axis.percent("offload, %"));
    charted().forEach(r -> {
      double[] offload = r.spanOffload();
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < offload.length; i++) {
        if (offload[i] >= 0) {
          points.add(new Point((i + 0.5) * hours / offload.length, PERCENT * offload[i], null));
        }
      }
      chart.add(series(r), look(r), points);
    });
    return chart;
  }

  private Chart bySize() {
    double[] sizes = results.stream().mapToDouble(r -> r.capacity() / GB).sorted().toArray();
    return new Chart(Axis.log("what pages may take on each SSD, GB", sizes[0],
            sizes[sizes.length - 1], Arrays.stream(sizes).distinct().boxed().toList()),
            Axis.percent("offload, %"))
        .add("", Look.POINTS, results.stream().map(r -> new Point(r.capacity() / GB,
            PERCENT * r.total().offload(), Text.format("%s, page %s: %s", r.title(),
                Text.bytes(r.pageSize()), Text.percent(r.total().offload())))).toList());
  }
}
