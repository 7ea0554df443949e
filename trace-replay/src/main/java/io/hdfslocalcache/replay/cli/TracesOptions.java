/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
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

  private static final String LAYOUT = "%-24s %6s %8s %13s %9s %8s %9s %6s %9s%n";
  private static final String LEGEND = """
  SSD: what pages may take on each DataNode; offload: share of bytes from SSDs; SSD/day: bytes
  written to the SSDs of a DataNode in a day, the first filling included; DWPD: the same in
  multiples of what pages may take; HDD time: share of head time saved
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
      String table = table(found);
      results.write("hdfs-site.xml", fragment);
      results.write("report.json", new ObjectMapper().writerWithDefaultPrettyPrinter()
          .writeValueAsString(found) + "\n");
      results.write("report.txt", table);
      System.out.println(fragment);
      System.out.print(table);
      results.complete();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      results.discard();
    }
    System.out.println("\nResults: " + results.directory());
  }

  private static String table(Found found) {
    StringBuilder text = new StringBuilder(Text.format(LAYOUT, "DataNode", "page", "SSD", "reads",
        "read", "offload", "SSD/day", "DWPD", "HDD time"));
    Stream.concat(found.settings().stream(), found.dataNodes().stream())
        .forEach(line -> text.append(line(line)));
    text.append('\n').append(LEGEND);
    found.failures().forEach(failure -> text.append("not played: ").append(failure).append('\n'));
    return text.toString();
  }

  private static String line(Line line) {
    return Text.format(LAYOUT, line.name(), Text.bytes(line.pageSize()),
        Text.bytes(line.capacity()), Text.count(line.reads()), Text.bytes(line.bytes()),
        Text.percent(line.offload()), Text.bytes(Math.round(line.writtenPerDay())),
        Text.format("%.2f", line.writtenPerDay() / line.capacity()),
        Text.percent(line.hddTimeSaved()));
  }
}
