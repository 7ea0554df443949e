/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.util.List;
import java.util.Locale;

import io.hdfslocalcache.bench.e2e.cluster.Variant;

/** What is measured in one turn of a DataNode. Named as the stages of the paths are. */
enum Part {
  HIT, BYPASS, MISS, FILL;

  /** @return the first part of the paths' names. */
  String stage() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** @return what this DataNode is for, in the order in which it is measured. */
  static List<Part> of(Variant variant) {
    if (variant.equals(Variant.STOCK)) {
      return List.of(values());
    }
    if (variant.equals(Variant.ABSENT)) {
      return List.of(BYPASS);
    }
    if (!variant.isCaching()) {
      // Begins switched off, and so with empty SSDs when it is switched on to be filled.
      return List.of(BYPASS, FILL);
    }
    return List.of(variant.admits() ? HIT : MISS);
  }
}
