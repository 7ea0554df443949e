/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.affinity;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.net.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode's network topology, with one difference: replicas at the same distance from a
 * reader are not shuffled but ordered by {@link ReplicaOrder}, so that all readers of a block use
 * the same few of its replicas. Switched on by {@code dfs.net.topology.impl}.
 *
 * <p>The NameNode's other criteria come first: distance; whether a DataNode is decommissioned,
 * in maintenance, stale or slow; the number of its transfers
 * ({@code dfs.namenode.read.considerLoad}) and the type of the storage
 * ({@code dfs.namenode.read.considerStorageType}). It keeps no state, so that the order is the same
 * after a restart and on every NameNode.
 */
public class ReplicaAffinityTopology extends DFSNetworkTopology implements Configurable {

  /** Replicas of a block that remote readers use: 1 to 3. */
  public static final String REPLICAS_KEY = "dfs.namenode.replica.affinity.replicas";

  /** The default: two DataNodes serve a hot block. */
  public static final int REPLICAS_DEFAULT = 2;

  /** More replicas of a file mean that its readers are to be spread over all of them. */
  public static final int MOST_REPLICAS = 3;

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaAffinityTopology.class);

  private final AtomicBoolean failed = new AtomicBoolean();
  private Configuration conf;
  private int replicas = REPLICAS_DEFAULT;

  /**
   * Reads the key. The NameNode calls this once, before it uses the topology.
   *
   * @throws IllegalArgumentException if the value is not allowed; it stops the NameNode's start
   */
  @Override
  public void setConf(Configuration newConf) {
    conf = newConf;
    replicas = replicas(newConf.getTrimmed(REPLICAS_KEY, String.valueOf(REPLICAS_DEFAULT)));
    LOG.info("Remote readers use {} of a block's replicas: {}", replicas, REPLICAS_KEY);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  private static int replicas(String value) {
    if (!value.matches("[1-" + MOST_REPLICAS + "]")) {
      throw new IllegalArgumentException(
          REPLICAS_KEY + " = " + value + ": must be a whole number from 1 to " + MOST_REPLICAS);
    }
    return Integer.parseInt(value);
  }

  @Override
  public <T extends Node> void sortByDistance(Node reader, T[] nodes, int activeLen,
      Consumer<List<T>> secondarySort) {
    super.sortByDistance(reader, nodes, activeLen,
        affinity(reader, nodes, activeLen, secondarySort));
  }

  @Override
  public <T extends Node> void sortByDistanceUsingNetworkLocation(Node reader, T[] nodes,
      int activeLen, Consumer<List<T>> secondarySort) {
    super.sortByDistanceUsingNetworkLocation(reader, nodes, activeLen,
        affinity(reader, nodes, activeLen, secondarySort));
  }

  /**
   * @param secondarySort the NameNode's own order of nodes at the same distance, or null. It is a
   *     stable sort and runs last, so it takes precedence.
   * @return the order of nodes at the same distance, which are shuffled before
   */
  private <T extends Node> Consumer<List<T>> affinity(Node reader, T[] nodes, int activeLen,
      Consumer<List<T>> secondarySort) {
    // A copy, because the nodes are overwritten while they are sorted.
    T[] all = nodes.clone();
    return equallyFar -> {
      if (equallyFar.size() > 1 && all.length <= MOST_REPLICAS) {
        order(equallyFar, all, activeLen, reader);
      }
      if (secondarySort != null) {
        secondarySort.accept(equallyFar);
      }
    };
  }

  private <T extends Node> void order(List<T> equallyFar, T[] all, int activeLen, Node reader) {
    try {
      List<T> ordered = new ReplicaOrder<>(all, activeLen).of(equallyFar, replicas, reader);
      for (int i = 0; i < ordered.size(); i++) {
        equallyFar.set(i, ordered.get(i));
      }
    } catch (RuntimeException e) {
      // They stay shuffled, as without this class. No read fails because of it.
      if (failed.compareAndSet(false, true)) {
        LOG.warn("Cannot order replicas, so they are shuffled; this is not logged again", e);
      }
    }
  }
}
