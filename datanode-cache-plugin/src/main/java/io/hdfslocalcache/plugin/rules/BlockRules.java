/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;


import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.block.BlockKey;

/**
 * The rules whose paths match a block, for the blocks of this DataNode with any. Built in the
 * background; immutable afterwards, and read without a lock. About 48 bytes of heap per block.
 */
final class BlockRules {

  static final BlockRules NONE = new BlockRules();

  /** Blocks of a rule's paths on this DataNode that clients read. */
  record Total(long blocks, long bytes) {
  }

  private final Map<String, Table> pools = new LinkedHashMap<>();
  /** Blocks of each rule that clients read, and the SSD space that all their pages take. */
  private final long[] blocksOf = new long[RuleSet.MOST];
  private final long[] bytesOf = new long[RuleSet.MOST];

  /** A hash table from block id to a bit for each rule; 0: the slot is free. */
  private static final class Table {
    private long[] ids = new long[16];
    private long[] masks = new long[16];
    private int size;

    private int place(long id) {
      int at = (int) (id * 0x9E3779B97F4A7C15L >>> 32) & ids.length - 1;
      while (masks[at] != 0 && ids[at] != id) {
        at = at + 1 & ids.length - 1;
      }
      return at;
    }

    long get(long id) {
      return masks[place(id)];
    }

    void put(long id, long mask) {
      int at = place(id);
      size += masks[at] == 0 ? 1 : 0;
      ids[at] = id;
      masks[at] = mask;
      if (size > ids.length / 2) {
        Table larger = copy(ids.length * 2, before -> before);
        ids = larger.ids;
        masks = larger.masks;
      }
    }

    /** Blocks without a rule are left out. */
    Table copy(int length, LongUnaryOperator newMask) {
      Table copy = new Table();
      copy.ids = new long[length];
      copy.masks = new long[length];
      for (int i = 0; i < ids.length; i++) {
        long mask = newMask.applyAsLong(masks[i]);
        if (mask != 0) {
          copy.put(ids[i], mask);
        }
      }
      return copy;
    }
  }

  /**
   * Adds a rule to those of a block, before the object is published.
   *
   * @param bytes SSD space that all its pages take; 0: clients do not read it
   */
  void add(String blockPoolId, long blockId, long bytes, int rule) {
    if (add(blockPoolId, blockId, rule)) {
      blocksOf[rule] += bytes > 0 ? 1 : 0;
      bytesOf[rule] += bytes;
    }
  }

  private boolean add(String blockPoolId, long blockId, int rule) {
    Table table = pools.computeIfAbsent(blockPoolId, pool -> new Table());
    long before = table.get(blockId);
    long mask = before | 1L << rule;
    if (mask != before) {
      table.put(blockId, mask);
    }
    return mask != before;
  }

  /**
   * Adds the blocks that a rule has in another table, before this object is published. It has none
   * here yet.
   *
   * @param most number of blocks in this table that is not exceeded
   * @return whether all are in
   */
  boolean addAllOf(int rule, BlockRules others, long most) {
    blocksOf[rule] = others.blocksOf[rule];
    bytesOf[rule] = others.bytesOf[rule];
    for (Map.Entry<String, Table> pool : others.pools.entrySet()) {
      Table table = pool.getValue();
      for (int i = 0; i < table.ids.length; i++) {
        if ((table.masks[i] & 1L << rule) != 0) {
          if (!contains(pool.getKey(), table.ids[i]) && size() >= most) {
            return false;
          }
          add(pool.getKey(), table.ids[i], rule);
        }
      }
    }
    return true;
  }

  /** @return the rules whose paths match the block, one bit each. */
  long of(BlockKey block) {
    return of(block.blockPoolId(), block.blockId());
  }

  private long of(String blockPoolId, long blockId) {
    Table table = pools.get(blockPoolId);
    return table == null ? 0 : table.get(blockId);
  }

  /** @return whether the block is known. */
  boolean contains(String blockPoolId, long blockId) {
    return of(blockPoolId, blockId) != 0;
  }

  /** @return number of blocks. */
  int size() {
    return pools.values().stream().mapToInt(table -> table.size).sum();
  }

  /** @return the same blocks with new numbers for the rules. */
  BlockRules renumbered(LongUnaryOperator newMask) {
    BlockRules renumbered = new BlockRules();
    pools.forEach((pool, table) ->
        renumbered.pools.put(pool, table.copy(table.ids.length, newMask)));
    for (int i = 0; i < RuleSet.MOST; i++) {
      int now = Long.numberOfTrailingZeros(newMask.applyAsLong(blocksOf[i] == 0 ? 0 : 1L << i));
      if (now < RuleSet.MOST) {
        renumbered.blocksOf[now] = blocksOf[i];
        renumbered.bytesOf[now] = bytesOf[i];
      }
    }
    return renumbered;
  }

  /** @return blocks of a rule's paths in all namespaces. */
  static Total total(BlockRules[] namespaces, int rule) {
    return new Total(Stream.of(namespaces).mapToLong(one -> one.blocksOf[rule]).sum(),
        Stream.of(namespaces).mapToLong(one -> one.bytesOf[rule]).sum());
  }
}
