/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.plugin.block.BlockKey;

/**
 * Spreads blocks over SSDs by rendezvous hashing (Thaler and Ravishankar, 1998): a block goes to
 * the SSD with the highest hash of both. So the blocks of a removed SSD are spread evenly over the
 * others, an added SSD takes its share evenly from the others, and no other block moves. Depends
 * only on names. Immutable.
 */
public final class Rendezvous {

  private static final long FNV_BASIS = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;

  private final List<Path> directories;
  private final long[] hashes;

  /** @param directories one on each SSD, in any order */
  public Rendezvous(List<Path> directories) {
    this.directories = List.copyOf(directories);
    this.hashes = directories.stream().mapToLong(Rendezvous::hash).toArray();
  }

  /** @return the directory for the pages of a block, or null if there is none at all. */
  public Path of(BlockKey key) {
    long block = mix(key.blockId()) ^ mix(key.blockPoolId().hashCode());
    int best = -1;
    long highest = 0;
    for (int i = 0; i < hashes.length; i++) {
      long weight = mix(block ^ hashes[i]);
      if (best < 0 || weight > highest) {
        best = i;
        highest = weight;
      }
    }
    return best < 0 ? null : directories.get(best);
  }

  /** FNV-1a: Java's own hash of strings has only 32 bits, so two names may collide. */
  private static long hash(Path directory) {
    long hash = FNV_BASIS;
    for (byte letter : directory.toString().getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ letter & 0xFF) * FNV_PRIME;
    }
    return mix(hash);
  }

  /** The last step of MurmurHash3: each bit of the result depends on every bit. */
  private static long mix(long bits) {
    long mixed = (bits ^ bits >>> 33) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ mixed >>> 33) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ mixed >>> 33;
  }
}
