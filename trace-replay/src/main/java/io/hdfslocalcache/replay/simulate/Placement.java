/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.hdfslocalcache.replay.trace.Trace;

/**
 * Which DataNodes of a cluster hold the blocks of a trace: those that the trace names. A block for
 * which it names none has three replicas on any of them. When a DataNode is lost, each of its
 * blocks has a new replica elsewhere at once; HDFS takes its time for that.
 */
final class Placement {

  private static final int REPLICAS = 3;
  private static final long PRIME = 1_000_003;

  private final Trace trace;
  private final List<String> names;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final boolean[] isLost;
  private int left;
  /** By number of the block; null: not asked for yet, or no longer true. */
  private final int[][] holders;

  /** Makes a cluster. @param dataNodes how many there are if the trace names none */
  Placement(Trace trace, int dataNodes) {
    this.trace = trace;
    TreeSet<String> named = new TreeSet<>();
    trace.dataNodes().forEach(named::addAll);
    this.names = named.isEmpty()
        ? IntStream.rangeClosed(1, dataNodes).mapToObj(i -> "dn" + i).toList()
        : List.copyOf(named);
    names.forEach(name -> numbers.put(name, numbers.size()));
    this.isLost = new boolean[names.size()];
    this.left = names.size();
    this.holders = new int[trace.replicas().size()][];
  }

  /** @return names of all DataNodes, the lost ones too. */
  List<String> names() {
    return names;
  }

  /** @return number of a DataNode, from 0; -1 if there is none of that name. */
  int number(String name) {
    return numbers.getOrDefault(name, -1);
  }

  /** A DataNode is lost. */
  void lose(int dataNode) {
    isLost[dataNode] = true;
    left--;
    for (int block = 0; block < holders.length; block++) {
      if (holders[block] != null && IntStream.of(holders[block]).anyMatch(i -> i == dataNode)) {
        holders[block] = null;
      }
    }
  }

  /** @return numbers of the DataNodes that hold a block, by its number in the trace. */
  int[] holders(int block) {
    if (holders[block] == null) {
      holders[block] = place(block);
    }
    return holders[block];
  }

  private int[] place(int block) {
    List<String> named = trace.dataNodes().get(block);
    Set<Integer> held = new LinkedHashSet<>();
    named.stream().map(numbers::get).filter(i -> !isLost[i]).forEach(held::add);
    int wanted = Math.min(named.isEmpty() ? REPLICAS : named.size(), left);
    // The same draws each time: a DataNode that is lost changes the place of its own blocks alone.
    SplittableRandom draws = new SplittableRandom(blockId(block));
    while (held.size() < wanted) {
      int drawn = draws.nextInt(names.size());
      if (!isLost[drawn]) {
        held.add(drawn);
      }
    }
    return held.stream().mapToInt(Integer::intValue).toArray();
  }

  private long blockId(int block) {
    return trace.replicas().get(block).blockId();
  }

  /** @return the number of the disk on which a DataNode has a block: any, but always the same. */
  int disk(int block, int dataNode, int disks) {
    return new SplittableRandom(blockId(block) * PRIME + dataNode).nextInt(disks);
  }
}
