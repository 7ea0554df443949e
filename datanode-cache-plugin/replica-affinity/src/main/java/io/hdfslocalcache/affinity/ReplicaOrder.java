/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.affinity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * The order of a block's replicas by rendezvous hashing (Thaler and Ravishankar, 1998): each
 * replica has a score, and those with the lowest are preferred. If one is removed, the others keep
 * their order.
 *
 * <p>The topology does not know which block it sorts for. It uses the set of its replicas instead,
 * by DataNode and storage: a DataNode with twelve disks is in many more sets than one with a single
 * disk, so that blocks on the same DataNodes prefer different ones.
 *
 * @param <T> {@link DatanodeInfoWithStorage}, which is what the NameNode sorts
 */
final class ReplicaOrder<T extends Node> {

  /** Hash of the block's replicas, independent of their order. */
  private final long block;
  /** Replicas on active DataNodes, the one with the lowest score first. */
  private final List<T> ranked;

  /**
   * Ranks the replicas of a block.
   *
   * @param nodes the nodes with replicas
   * @param activeLen number of nodes at the beginning to order. The others are stale or otherwise
   *     avoided; they are still part of the hash, so that the rest keeps its order
   * @throws ClassCastException if a node is not a {@link DatanodeInfoWithStorage}
   */
  ReplicaOrder(T[] nodes, int activeLen) {
    block = Arrays.stream(nodes).mapToLong(ReplicaOrder::replicaHash).sum();
    ranked = new ArrayList<>(Arrays.asList(nodes).subList(0, activeLen));
    ranked.sort(Comparator.comparingLong(node -> mix(replicaHash(node) ^ block)));
  }

  /**
   * Orders replicas that are equally far from a reader.
   *
   * @param equallyFar some or all of the active replicas
   * @param replicas number of preferred ones of all active replicas
   * @param reader the reader, or null. Its hash decides which of the preferred replicas it uses
   *     first
   * @return the preferred ones, then the others
   */
  List<T> of(List<T> equallyFar, int replicas, Node reader) {
    int end = Math.min(replicas, ranked.size());
    List<T> ordered = new ArrayList<>(ranked.subList(0, end));
    ordered.retainAll(equallyFar);
    if (!ordered.isEmpty()) {
      long turn = Math.floorMod(mix(readerHash(reader) ^ block), (long) ordered.size());
      Collections.rotate(ordered, (int) turn);
    }
    List<T> others = new ArrayList<>(ranked.subList(end, ranked.size()));
    others.retainAll(equallyFar);
    ordered.addAll(others);
    return ordered;
  }

  /** The same in every JVM: Java defines how strings and arrays are hashed. */
  private static long replicaHash(Node node) {
    DatanodeInfoWithStorage replica = (DatanodeInfoWithStorage) node;
    return mix(Objects.hash(replica.getDatanodeUuid(), replica.getStorageID()));
  }

  private static long readerHash(Node reader) {
    return reader == null ? 0 : NodeBase.getPath(reader).hashCode();
  }

  /** A bijection of the 64-bit numbers: the finalizer known as Stafford's variant 13. */
  private static long mix(long x) {
    long y = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    y = (y ^ (y >>> 27)) * 0x94D049BB133111EBL;
    return y ^ (y >>> 31);
  }
}
