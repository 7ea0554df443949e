/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.hdfslocalcache.bench.e2e.cluster.Variant;

/** What is measured with everything in memory. Named as the stages of the paths are. */
enum Part {
  HIT, BYPASS, MISS, FILL, PROFILE;

  /** @return the first part of the paths' names. */
  String stage() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** @return the DataNodes that are compared, the released one first. */
  List<Variant> variants(Options options) {
    List<Variant> variants = new ArrayList<>(List.of(Variant.STOCK));
    if (this != PROFILE) {
      variants.add(Variant.STOCK_AGAIN);
    }
    switch (this) {
      case HIT -> {
        if (options.wantsMemory()) {
          variants.add(Variant.IN_MEMORY);
        }
        if (options.wantsSsd()) {
          variants.add(Variant.FROM_SSD);
        }
      }
      case BYPASS -> variants.addAll(List.of(Variant.off("switched off"), Variant.ABSENT));
      case MISS -> variants.add(Variant.admittingNothing("admits nothing"));
      case FILL, PROFILE -> variants.add(Variant.IN_MEMORY);
      default -> throw new AssertionError(this);
    }
    return variants;
  }

  /** @return the loads of the part's paths that shall be measured. */
  List<String> loads(Options options) {
    String begin = stage() + "/";
    return Options.PATHS.stream().filter(path -> path.startsWith(begin)).filter(options::wants)
        .map(path -> path.substring(begin.length())).toList();
  }
}
