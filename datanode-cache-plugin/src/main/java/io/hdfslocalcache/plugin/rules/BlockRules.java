/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;


import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

import io.hdfslocalcache.plugin.block.BlockKey;

/**
 * Which rules have a path to a block, for the blocks of this DataNode that any has. Made in the
 * background; then never changed, and read without a lock. About 20 bytes of heap for a block.
 */
final class BlockRules {

  static final BlockRules NONE = new BlockRules();

  /** What the paths of a rule have on this DataNode. */
  record Total(long blocks, long bytes) {
  }

  private final Map<String, Table> pools = new LinkedHashMap<>();
  private long[] masks = new long[1];
  private int distinct = 1;
  private final Map<Long, Short> numbers = new HashMap<>(Map.of(0L, (short) 0));
  private int size;
  /** Blocks of each rule, and the bytes that they have. */
  private long[] blocksOf = new long[RuleSet.MOST];
  private long[] bytesOf = new long[RuleSet.MOST];

  /** A hash table from block id to the number of a mask; 0: the place is free. */
  private static final class Table {
    private long[] ids = new long[16];
    private short[] masks = new short[16];
    private int size;

    private int place(long id) {
      int at = (int) (id * 0x9E3779B97F4A7C15L >>> 32) & ids.length - 1;
      while (masks[at] != 0 && ids[at] != id) {
        at = at + 1 & ids.length - 1;
      }
      return at;
    }

    short get(long id) {
      return masks[place(id)];
    }

    void put(long id, short mask) {
      int at = place(id);
      size += masks[at] == 0 ? 1 : 0;
      ids[at] = id;
      masks[at] = mask;
      if (size > ids.length / 2) {
        grow();
      }
    }

    private void grow() {
      Table larger = new Table();
      larger.ids = new long[ids.length * 2];
      larger.masks = new short[ids.length * 2];
      for (int i = 0; i < ids.length; i++) {
        if (masks[i] != 0) {
          larger.put(ids[i], masks[i]);
        }
      }
      ids = larger.ids;
      masks = larger.masks;
    }
  }

  /**
   * Adds a rule to those of a block. Before others see the object.
   *
   * @param bytes bytes of the block
   * @return false if there are so many combinations of rules that this one is left out
   */
  boolean add(String blockPoolId, long blockId, long bytes, int rule) {
    Table table = pools.computeIfAbsent(blockPoolId, pool -> new Table());
    short before = table.get(blockId);
    short number = number(masks[before] | 1L << rule);
    if (number > 0 && number != before) {
      blocksOf[rule]++;
      bytesOf[rule] += bytes;
      size += before == 0 ? 1 : 0;
      table.put(blockId, number);
    }
    return number > 0;
  }

  /** @return the mask's number, or 0 if there is none left. */
  private short number(long mask) {
    Short known = numbers.get(mask);
    if (known != null) {
      return known;
    }
    if (distinct > Short.MAX_VALUE) {
      return 0;
    }
    masks = distinct == masks.length ? Arrays.copyOf(masks, distinct * 2) : masks;
    masks[distinct] = mask;
    numbers.put(mask, (short) distinct);
    return (short) distinct++;
  }

  /** @return the rules with a path to the block, one bit each. */
  long of(BlockKey block) {
    Table table = pools.get(block.blockPoolId());
    return table == null ? 0 : masks[table.get(block.blockId())];
  }

  /** @return whether the block is known. */
  boolean contains(String blockPoolId, long blockId) {
    Table table = pools.get(blockPoolId);
    return table != null && table.get(blockId) != 0;
  }

  /** @return number of blocks. */
  int size() {
    return size;
  }

  /** @return the same blocks for rules that have other numbers now. */
  BlockRules renumbered(LongUnaryOperator newMask) {
    BlockRules renumbered = new BlockRules();
    renumbered.pools.putAll(pools);
    renumbered.size = size;
    renumbered.distinct = distinct;
    renumbered.masks = Arrays.stream(masks).map(newMask).toArray();
    for (int i = 0; i < RuleSet.MOST; i++) {
      int now = Long.numberOfTrailingZeros(newMask.applyAsLong(blocksOf[i] == 0 ? 0 : 1L << i));
      if (now < RuleSet.MOST) {
        renumbered.blocksOf[now] = blocksOf[i];
        renumbered.bytesOf[now] = bytesOf[i];
      }
    }
    return renumbered;
  }

  /** @return what the paths of a rule have in all namespaces. */
  static Total total(BlockRules[] namespaces, int rule) {
    return new Total(Arrays.stream(namespaces).mapToLong(one -> one.blocksOf[rule]).sum(),
        Arrays.stream(namespaces).mapToLong(one -> one.bytesOf[rule]).sum());
  }
}
