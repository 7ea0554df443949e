/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.replay.cluster.ClusterOptions;
import io.hdfslocalcache.replay.cluster.Results;
import io.hdfslocalcache.replay.fleet.FleetJob;
import io.hdfslocalcache.replay.fleet.FleetJob.Found;
import io.hdfslocalcache.replay.fleet.FleetJob.Order;
import io.hdfslocalcache.replay.fleet.FleetReport;
import io.hdfslocalcache.replay.simulate.FleetResult;
import io.hdfslocalcache.replay.text.Checks;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The traces of a fleet in place of one: where they are, and where the report goes. */
final class TracesOptions {

  @Mixin
  private ClusterOptions cluster;

  @Option(names = "--traces", paramLabel = "DIR", description = "In place of a trace: a directory, "
      + "in HDFS or elsewhere, with the trace of each DataNode of a fleet, a file or a directory "
      + "of files. Each is played in a task of a MapReduce job; without YARN, in this process.")
  private String traces;

  @Option(names = {"-o", "--out"}, paramLabel = "DIR", description = "With --traces: a directory "
      + "for the report, to be made, in the default file system.")
  private String out;

  /**
   * What is told of a fleet.
   *
   * @param shown results of which each DataNode is told; not empty
   * @param fragment keys for hdfs-site.xml; empty: none
   */
  record Chosen(List<FleetResult> shown, String fragment) {
  }

  /** @return the keys that were set. */
  Map<String, String> keys() {
    return cluster.settings();
  }

  /**
   * @param hasTrace whether a single trace was named
   * @return whether there are traces of a fleet
   */
  boolean areGiven(boolean hasTrace) {
    Checks.require(hasTrace != (traces != null), "either a trace or --traces");
    Checks.require((traces != null) == (out != null), "--out: needed with --traces, and only then");
    return traces != null;
  }

  /**
   * Plays the traces, writes the report and prints its text.
   *
   * @param order is told whether YARN runs the tasks
   */
  void run(Function<Boolean, Order> order, Function<List<FleetResult>, Chosen> chosen)
      throws IOException {
    Configuration conf = cluster.conf();
    Results results = new Results(new Path(out), conf);
    results.begin();
    try {
      Found found = new FleetJob(conf, new Path(traces), results.path("job"))
          .run(order.apply(!ClusterOptions.isLocal(conf)));
      write(found, chosen.apply(found.results()), results);
      results.complete();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      results.discard();
    }
    System.out.println("\nResults: " + results.directory());
  }

  private static void write(Found found, Chosen chosen, Results results) throws IOException {
    FleetReport report = new FleetReport(found.results(), chosen.shown, found.failures());
    results.write("report.txt", report.text());
    results.write("report.json", new ObjectMapper().writerWithDefaultPrettyPrinter()
        .writeValueAsString(found) + "\n");
    results.write("report.html", report.html(chosen.fragment));
    if (!chosen.fragment.isEmpty()) {
      results.write("hdfs-site.xml", chosen.fragment);
      System.out.println(chosen.fragment);
    }
    System.out.print(report.text());
  }
}
