/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.hdfslocalcache.plugin.block.BlockKey;

/**
 * The SSDs of a DataNode at one moment, and which of them get blocks. Immutable.
 *
 * <p>Blocks are spread by rendezvous hashing (Thaler and Ravishankar, 1998): a block goes to the SSD
 * with the highest hash of both. So the blocks of a removed SSD are spread evenly over the others,
 * an added SSD takes its share evenly from the others, and no other block moves. That depends only
 * on names.
 */
final class Places {

  /**
   * A directory for pages.
   *
   * @param path as configured or commanded
   * @param ssd null while it cannot be used
   * @param isDrained whether no more blocks are written there; its pages may still be read
   */
  record Place(Path path, SsdDirectory ssd, boolean isDrained) {
  }

  private static final long FNV_BASIS = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;

  static final Places NONE = new Places(new LinkedHashMap<>());

  private final Map<Path, Place> all;
  private final List<Path> inUse;
  private final long[] hashes;

  private Places(Map<Path, Place> all) {
    this.all = Collections.unmodifiableMap(all);
    this.inUse = all.values().stream().filter(place -> !place.isDrained()).map(Place::path).toList();
    this.hashes = inUse.stream().mapToLong(Places::hash).toArray();
  }

  /** @return a copy with this place added, or replacing the one with the same path. */
  Places with(Place place) {
    Map<Path, Place> changed = new LinkedHashMap<>(all);
    changed.put(place.path(), place);
    return new Places(changed);
  }

  /** @return a copy without a place. */
  Places without(Path path) {
    Map<Path, Place> changed = new LinkedHashMap<>(all);
    changed.remove(path);
    return new Places(changed);
  }

  /** @return the place with this path, or null. @param path may be null: there is none */
  Place at(Path path) {
    return all.get(path);
  }

  /** @return the SSD with this path, or null if there is none, or it cannot be used. */
  SsdDirectory ssdAt(Path path) {
    Place place = all.get(path);
    return place == null ? null : place.ssd();
  }

  /** @return the directory for a block, whether or not its SSD can be used; null: none. */
  Path choose(BlockKey key) {
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
    return best < 0 ? null : inUse.get(best);
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

  /** @return the directories that get blocks, in order. */
  List<Path> inUse() {
    return inUse;
  }

  /** @return all directories, in order. */
  List<Path> paths() {
    return List.copyOf(all.keySet());
  }

  /**
   * Reports the state of all SSDs, sorted by their paths.
   *
   * @param reasons why they cannot be used
   */
  List<SsdReport> reports(Map<Path, String> reasons) {
    return all.values().stream().sorted(Comparator.comparing(Place::path))
        .map(place -> report(place, reasons)).toList();
  }

  /** Reports the state of one SSD. */
  static SsdReport report(Place place, Map<Path, String> reasons) {
    return place.ssd() != null ? SsdReport.of(place.ssd(), place.isDrained())
        : SsdReport.absent(place.path(), reasons.getOrDefault(place.path(), "not open"),
            place.isDrained());
  }

  /** @return the usable SSDs, in order. */
  List<SsdDirectory> open() {
    return all.values().stream().map(Place::ssd).filter(Objects::nonNull).toList();
  }
}
