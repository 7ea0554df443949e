/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.hdfslocalcache.affinity.ReplicaAffinityTopology;
import io.hdfslocalcache.replay.simulate.Fleet.Part;
import io.hdfslocalcache.replay.simulate.Result.ReadCounts;
import io.hdfslocalcache.replay.simulate.Sweep.Setting;
import io.hdfslocalcache.replay.trace.Access;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * Plays the reads of a cluster to all its DataNodes. A reader on a host with a replica reads there.
 * Any other takes the first replica of the list that the NameNode would give it: a shuffled one, or
 * with replica affinity that of {@link ReplicaAffinityTopology}. Racks are left out, and each read
 * asks the NameNode anew.
 */
public final class FleetSimulation {

  /** In place of {@link ReplicaAffinityTopology#REPLICAS_KEY}: the NameNode shuffles replicas. */
  public static final int SHUFFLED = 0;

  private static final int SEED = 37;
  private static final int PORT = 9866;
  /** A rack without DataNodes. */
  private static final String ELSEWHERE = "/elsewhere";
  private static final String RACK = "/rack";

  private final Trace trace;
  private final Cluster cluster;
  private final Placement placement;
  private final int lost;
  private final Fleet fleet;
  /** Null: replicas are shuffled. */
  private final ReplicaAffinityTopology topology;
  private final String order;
  private final SplittableRandom random = new SplittableRandom(SEED);
  /** By DataNode and disk. */
  private final DatanodeInfoWithStorage[][] storages;
  private final Node[] readers;

  /**
   * The DataNodes.
   *
   * @param size how many there are if the trace names none
   * @param lost name of the one that is lost in the middle of the trace; null: none is
   * @param disk the HDDs of each
   */
  public record Cluster(int size, String lost, Disk disk) {
  }

  /**
   * Hands the reads of a trace out.
   *
   * @param preferred how many replicas of a block remote readers prefer, from 1 to 3, or
   *     {@link #SHUFFLED}
   * @throws TraceException if the trace does not tell who reads
   * @throws IllegalArgumentException if no DataNode has the name of the one that is lost
   */
  public FleetSimulation(Trace trace, Cluster cluster, int preferred) throws TraceException {
    if (!trace.hasReaders()) {
      throw new TraceException("the trace has no column reader, which decides which replica is "
          + "read");
    }
    this.trace = trace;
    this.cluster = cluster;
    this.placement = new Placement(trace, cluster.size);
    this.lost = cluster.lost == null ? -1 : placement.number(cluster.lost);
    if (cluster.lost != null && lost < 0) {
      throw new IllegalArgumentException("--lose: no such DataNode: " + cluster.lost + "; there is "
          + placement.names().get(0));
    }
    if (lost >= 0 && placement.names().size() == 1) {
      throw new IllegalArgumentException("--lose: there is only one DataNode");
    }
    this.fleet = new Fleet(placement.names().size(), cluster.disk);
    this.topology = preferred == SHUFFLED ? null : topology(preferred);
    this.order = preferred == SHUFFLED ? "shuffled" : "affinity " + preferred;
    this.storages = placement.names().stream().map(this::storages)
        .toArray(DatanodeInfoWithStorage[][]::new);
    this.readers = trace.readers().stream()
        .map(address -> new NodeBase(address.replace('/', '_'), ELSEWHERE)).toArray(Node[]::new);
    handOut();
  }

  private static ReplicaAffinityTopology topology(int preferred) {
    Configuration conf = new Configuration(false);
    conf.setInt(ReplicaAffinityTopology.REPLICAS_KEY, preferred);
    ReplicaAffinityTopology topology = new ReplicaAffinityTopology();
    topology.setConf(conf);
    return topology;
  }

  private DatanodeInfoWithStorage[] storages(String name) {
    DatanodeInfo dataNode = new DatanodeInfoBuilder().setNetworkLocation(RACK)
        .setNodeID(new DatanodeID(name, name, name, PORT, PORT, PORT, PORT)).build();
    return IntStream.range(0, cluster.disk.count())
        .mapToObj(disk -> new DatanodeInfoWithStorage(
            dataNode, "DS-" + disk + "-" + name, StorageType.DISK))
        .toArray(DatanodeInfoWithStorage[]::new);
  }

  private void handOut() {
    long middle = trace.startMillis() + trace.spanMillis() / 2;
    boolean isToBeLost = lost >= 0;
    int read = 0;
    for (Access access : trace.accesses()) {
      if (access.isRead() && access.length() > 0) {
        if (isToBeLost && access.timeMillis() >= middle) {
          placement.lose(lost);
          isToBeLost = false;
        }
        int block = access.replica();
        fleet.handOut(choose(access), read++, access.timeMillis(),
            trace.readers().get(access.reader()), new Part(trace.replicas().get(block),
                trace.replicaBytes()[block], access.offset(), access.length()));
      }
    }
    fleet.lastAsLongAs(trace);
    fleet.ready();
  }

  /** @return number of the DataNode that serves a read. */
  private int choose(Access access) {
    int[] holders = placement.holders(access.replica());
    int own = placement.number(trace.readers().get(access.reader()));
    if (Arrays.stream(holders).anyMatch(holder -> holder == own)) {
      return own;
    }
    int shuffled = holders[random.nextInt(holders.length)];
    if (topology == null || holders.length > ReplicaAffinityTopology.MOST_REPLICAS) {
      return shuffled;
    }
    DatanodeInfoWithStorage[] replicas = Arrays.stream(holders)
        .mapToObj(holder -> storages[holder][
            placement.disk(access.replica(), holder, cluster.disk.count())])
        .toArray(DatanodeInfoWithStorage[]::new);
    topology.sortByDistanceUsingNetworkLocation(
        readers[access.reader()], replicas, replicas.length, null);
    return placement.number(replicas[0].getDatanodeUuid());
  }

  /** @return number of DataNodes. @param size how many there are if the trace names none */
  public static int dataNodes(Trace trace, int size) {
    return new Placement(trace, size).names().size();
  }

  /**
   * Plays the reads.
   *
   * @param setting of every DataNode
   * @param progress is told now and then how many reads have been simulated
   */
  public FleetResult run(Setting setting, LongConsumer progress) throws TraceException {
    List<FleetResult> each = new ArrayList<>();
    long[] spanBytes = new long[ReadCounts.SPANS];
    long[] spanHitBytes = new long[ReadCounts.SPANS];
    Copies copies = new Copies();
    fleet.play(setting, (dataNode, simulation, result) -> {
      each.add(FleetResult.of(placement.names().get(dataNode), result));
      for (int span = 0; span < spanBytes.length; span++) {
        spanBytes[span] += simulation.counts.spanBytes[span];
        spanHitBytes[span] += simulation.counts.spanHitBytes[span];
      }
      if (dataNode != lost) {
        copies.add(simulation);
      }
    }, progress);
    double[] offload = IntStream.range(0, spanBytes.length).mapToDouble(span ->
        spanBytes[span] == 0 ? -1 : (double) spanHitBytes[span] / spanBytes[span]).toArray();
    return FleetResult.join(each).ofCluster(order, copies.perPage(), offload);
  }

  /** Counts on how many SSDs a page is. */
  private final class Copies {
    private final Map<Replica, Integer> blocks = new HashMap<>();
    private final LongStream.Builder pages = LongStream.builder();

    Copies() {
      trace.replicas().forEach(replica -> blocks.put(replica, blocks.size()));
    }

    void add(DemandFilled simulation) {
      PageTrace of = simulation.trace;
      simulation.onSsd().forEach(page -> pages.add(
          ((long) blocks.get(of.replicaOf(page)) << Integer.SIZE) + of.pageInBlock(page)));
    }

    /** @return the mean of the pages that are on an SSD at all; 0 if none is. */
    double perPage() {
      long[] all = pages.build().toArray();
      long different = Arrays.stream(all).distinct().count();
      return different == 0 ? 0 : (double) all.length / different;
    }
  }
}
