/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark.report;

import java.util.List;
import java.util.Optional;

import io.hdfslocalcache.replay.benchmark.Phase;
import io.hdfslocalcache.replay.text.Text;

/**
 * What two phases say together.
 *
 * @param blockedPercent how much less time readers waited for reads in the second one, in percent of
 *     the first one
 * @param offloadPercent share of the bytes of the second one that came from local caches
 */
record Saving(double blockedPercent, double offloadPercent) {

  private static final int PERCENT = 100;

  /** @return what was saved, if two phases were compared and all is known. */
  static Optional<Saving> of(List<Phase> phases) {
    if (phases.size() != 2) {
      return Optional.empty();
    }
    double before = phases.get(0).total().waitedSeconds();
    double after = phases.get(1).total().waitedSeconds();
    return before > 0 && phases.get(1).offload().isPresent()
        ? Optional.of(new Saving(PERCENT * (1 - after / before),
            PERCENT * phases.get(1).offload().getAsDouble()))
        : Optional.empty();
  }

  String text() {
    return Text.format("readers waited %.1f %% %s, %.1f %% of the bytes came from the local cache",
        Math.abs(blockedPercent), blockedPercent >= 0 ? "less" : "more", offloadPercent);
  }
}
