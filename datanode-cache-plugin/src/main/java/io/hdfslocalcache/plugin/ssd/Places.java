/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.block.BlockKey;

/** The SSDs of a DataNode at one moment, and which of them get blocks. Immutable. */
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

  static final Places NONE = new Places(new LinkedHashMap<>());

  private final Map<Path, Place> all;
  private final Rendezvous spread;

  private Places(Map<Path, Place> all) {
    this.all = Collections.unmodifiableMap(all);
    this.spread = new Rendezvous(inUse());
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
    return spread.of(key);
  }

  /** @return the directories that get blocks, in order. */
  List<Path> inUse() {
    return all.values().stream().filter(place -> !place.isDrained()).map(Place::path).toList();
  }

  /** @return all directories, in order. */
  List<Path> paths() {
    return List.copyOf(all.keySet());
  }

  /**
   * Reports the state of all SSDs; unusable ones come last.
   *
   * @param reasons why they cannot be used
   */
  List<SsdReport> reports(Map<Path, String> reasons) {
    return Stream.concat(all.values().stream().filter(place -> place.ssd() != null),
        all.values().stream().filter(place -> place.ssd() == null))
        .map(place -> report(place, reasons)).toList();
  }

  /** Reports the state of one SSD. */
  static SsdReport report(Place place, Map<Path, String> reasons) {
    return place.ssd() != null ? SsdReport.of(place.ssd(), place.isDrained())
        : SsdReport.absent(place.path(), reasons.getOrDefault(place.path(), "not open"));
  }

  /** @return the usable SSDs, in order. */
  List<SsdDirectory> open() {
    return all.values().stream().map(Place::ssd).filter(Objects::nonNull).toList();
  }
}
