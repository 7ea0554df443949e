/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.hdfslocalcache.harness.Report;
import io.hdfslocalcache.harness.Report.Axis;
import io.hdfslocalcache.harness.Report.Chart;
import io.hdfslocalcache.harness.Report.Look;
import io.hdfslocalcache.harness.Report.Point;
import io.hdfslocalcache.harness.Report.Series;
import io.hdfslocalcache.harness.Table;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.replay.cluster.ClusterOptions;
import io.hdfslocalcache.replay.cluster.Results;
import io.hdfslocalcache.replay.recommend.Recommender;
import io.hdfslocalcache.replay.recommend.SiteFragment;
import io.hdfslocalcache.replay.recommend.TracesJob;
import io.hdfslocalcache.replay.recommend.TracesJob.Found;
import io.hdfslocalcache.replay.recommend.TracesJob.Line;
import io.hdfslocalcache.replay.recommend.TracesJob.Order;
import io.hdfslocalcache.replay.text.Checks;
import io.hdfslocalcache.replay.text.Text;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The traces of a cluster's DataNodes in place of one: where they are, and where results go. */
final class TracesOptions {

  private static final double GB = 1L << 30;
  private static final double PERCENT = 100;
  private static final String LEGEND = """
  SSD: what pages may take on each DataNode; offload: share of bytes from SSDs; written/day: how
  often the SSDs of a DataNode are written as a whole in a day after their first filling; a hyphen:
  the trace is too short to say, or the SSD is not full; HDD time: share of head time saved
  """;

  @Mixin
  private ClusterOptions cluster;

  @Option(names = "--traces", paramLabel = "DIR", description = "In place of a trace: a directory, "
      + "in HDFS or elsewhere, with the trace of each DataNode of a cluster, a file or a directory "
      + "of files. Each is played in a task of a MapReduce job; without YARN, in this process.")
  private String traces;

  @Option(names = {"-o", "--out"}, paramLabel = "DIR", description = "With --traces: a directory "
      + "for the results, to be made, in the default file system.")
  private String out;

  /**
   * @param hasTrace whether a single trace was named
   * @return whether there are traces of a cluster
   */
  boolean areGiven(boolean hasTrace) {
    Checks.require(hasTrace != (traces != null), "either a trace or --traces");
    Checks.require((traces != null) == (out != null), "--out: needed with --traces, and only then");
    return traces != null;
  }

  /**
   * Plays the traces, writes the results and prints them.
   *
   * @param order is told whether YARN runs the tasks
   */
  void run(Function<Boolean, Order> order, List<String> directories) throws IOException {
    Configuration conf = cluster.conf();
    Results results = new Results(new Path(out), conf);
    results.begin();
    try {
      Order ordered = order.apply(!ClusterOptions.isLocal(conf));
      Found found = new TracesJob(conf, new Path(traces), results.path("job")).run(ordered);
      String fragment = SiteFragment.xml(SiteFragment.keys(ordered.wish(), found.pageSize(),
          Recommender.limiter(ordered.wish()), directories));
      Report report = report(found, fragment);
      results.write("hdfs-site.xml", fragment);
      results.write("report.json", Report.json(found));
      results.write("report.txt", report.text());
      results.write("report.html", report.html());
      System.out.print(report.text());
      results.complete();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      results.discard();
    }
    System.out.println("\nResults: " + results.directory());
  }

  private static Report report(Found found, String fragment) {
    Report report = new Report("Local caches for "
        + Text.count(found.dataNodes().size(), "DataNode"));
    report.heading("For hdfs-site.xml").code(fragment);
    report.chart(new Chart("What larger SSDs would bring", null,
        Axis.log("what pages may take on each DataNode, GB"), Axis.percent("offload, %"),
        List.of(new Series("", Look.POINTS, found.settings().stream().map(line -> new Point(
            line.capacity() / GB, PERCENT * line.offload(), "page " + Sizes.text(line.pageSize())
                + ": " + Text.percent(line.offload()))).toList()))));
    List<Line> ordered = found.dataNodes().stream()
        .sorted(Comparator.comparingDouble(Line::offload)).toList();
    report.chart(new Chart("Offload of each DataNode", null,
        Axis.of("DataNodes, from the lowest to the highest"), Axis.percent("offload, %"),
        List.of(new Series("", Look.POINTS, IntStream.range(0, ordered.size())
            .mapToObj(i -> new Point(i + 1, PERCENT * ordered.get(i).offload(),
                ordered.get(i).name() + ": " + Text.percent(ordered.get(i).offload())))
            .toList()))));
    Table table = new Table("DataNode", ">page", ">SSD", ">reads", ">read", ">offload",
        ">written/day", ">HDD time");
    Stream.concat(found.settings().stream(), found.dataNodes().stream()).forEach(line ->
        table.row(line.name(), Sizes.text(line.pageSize()), Sizes.text(line.capacity()),
            Text.count(line.reads()), Sizes.text(line.bytes()), Text.percent(line.offload()),
            line.writes() == null ? "-" : Text.format("%.2f", line.writes()),
            Text.percent(line.hddTimeSaved())));
    report.table(table).text(LEGEND);
    found.failures().forEach(failure -> report.text("not played: " + failure));
    return report;
  }
}
