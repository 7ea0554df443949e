/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.affinity.ReplicaAffinityTopology;
import io.hdfslocalcache.replay.fleet.FleetReport;
import io.hdfslocalcache.replay.simulate.FleetResult;
import io.hdfslocalcache.replay.simulate.FleetSimulation;
import io.hdfslocalcache.replay.simulate.FleetSimulation.Cluster;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.text.Checks;
import io.hdfslocalcache.replay.trace.Inputs;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.WholeFile;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Option;

/** A trace of a cluster is played to all its DataNodes. */
final class FleetOptions {

  @Option(names = "--fleet", paramLabel = "N", description = "Plays the trace of a cluster to its "
      + "DataNodes: those in column datanodes or, if there are none, N, with three replicas of "
      + "each block on any of them. Capacity and budget are for each.")
  private Integer dataNodes;

  @Option(names = "--affinity", paramLabel = "N", split = ",", defaultValue = "0,2",
      description = "With --fleet: dfs.namenode.replica.affinity.replicas, from 1 to 3; 0: the "
          + "NameNode shuffles replicas (default: ${DEFAULT-VALUE}).")
  private List<Integer> preferred;

  @Option(names = "--lose", paramLabel = "DATANODE", description = "With --fleet: this DataNode is "
      + "lost in the middle of the trace, such as dn1.")
  private String lost;

  @Option(names = "--html", paramLabel = "FILE", description = "With --fleet: a report.")
  private Path html;

  /** @return whether there is one. */
  boolean isWanted() {
    return dataNodes != null;
  }

  void check() {
    Checks.require(dataNodes == null || dataNodes >= 1, "--fleet: must be at least 1");
    Checks.require(preferred.stream().allMatch(
            n -> n >= FleetSimulation.SHUFFLED && n <= ReplicaAffinityTopology.MOST_REPLICAS),
        "--affinity: must be from 0 to " + ReplicaAffinityTopology.MOST_REPLICAS);
    Checks.require(isWanted() || lost == null && html == null,
        "--lose and --html: only with --fleet");
  }

  /** Plays the trace with each setting, and prints the results. */
  void play(Trace trace, List<Setting> settings, SimulationOptions options, Inputs inputs,
      boolean json) throws IOException {
    Cluster cluster = new Cluster(dataNodes, lost,
        options.disk(trace, FleetSimulation.dataNodes(trace, dataNodes)));
    List<FleetResult> results = new ArrayList<>();
    try (ProgressBar bar = inputs.bar("Simulating",
        (long) trace.size() * settings.size() * preferred.size())) {
      for (int replicas : preferred) {
        FleetSimulation simulation = new FleetSimulation(trace, cluster, replicas);
        for (Setting setting : settings) {
          results.add(simulation.run(setting, bar::stepBy));
        }
      }
    }
    FleetReport report = new FleetReport(results, results, List.of());
    if (html != null) {
      byte[] page = report.html("").getBytes(StandardCharsets.UTF_8);
      WholeFile.write(html, out -> out.write(page));
    }
    if (json) {
      Inputs.printJson(results);
    } else {
      System.out.print(report.text());
    }
  }
}
