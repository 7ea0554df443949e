/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;

/** Numbers different long values from 0, in the order in which they come. */
final class LongIndex {

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final int FIRST_BITS = 12;
  private static final int NONE = -1;

  /** Number by slot, or {@link #NONE}; at most half full. */
  private int[] slots;
  private int shift;
  private long[] keys = new long[1 << FIRST_BITS - 1];
  private int size;

  LongIndex() {
    allocate(FIRST_BITS);
  }

  private void allocate(int bits) {
    slots = new int[1 << bits];
    Arrays.fill(slots, NONE);
    shift = Long.SIZE - bits;
  }

  /** @return the number of a value. */
  int of(long key) {
    int slot = slot(key);
    if (slots[slot] == NONE) {
      if (size == keys.length) {
        grow();
        slot = slot(key);
      }
      keys[size] = key;
      slots[slot] = size++;
    }
    return slots[slot];
  }

  private int slot(long key) {
    int slot = (int) (key * MIX >>> shift);
    while (slots[slot] != NONE && keys[slots[slot]] != key) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }

  private void grow() {
    keys = Arrays.copyOf(keys, 2 * size);
    allocate(Long.SIZE - shift + 1);
    for (int i = 0; i < size; i++) {
      slots[slot(keys[i])] = i;
    }
  }

  /** @return how many values there are. */
  int size() {
    return size;
  }

  /** @return the values by their numbers. */
  long[] keys() {
    return Arrays.copyOf(keys, size);
  }
}
