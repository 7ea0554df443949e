/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Locale;

/** Durations as operators write them: a whole number and a suffix, like Hadoop's. */
final class Durations {

  /** The suffixes; "ms" comes before "s", which it ends with. */
  private enum Unit {
    MS(1), S(1_000), M(60_000), H(3_600_000), D(86_400_000);

    private final String suffix = name().toLowerCase(Locale.ROOT);
    private final long millis;

    Unit(long millis) {
      this.millis = millis;
    }
  }

  private Durations() {
  }

  /**
   * Reads a duration; without a suffix it is in milliseconds.
   *
   * @param text such as "10m", in lower or upper case
   * @return milliseconds
   * @throws NumberFormatException when the text is no whole number with one of the suffixes
   * @throws ArithmeticException when there are more milliseconds than a long holds
   */
  static long parseMillis(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (Unit unit : Unit.values()) {
      if (lower.endsWith(unit.suffix)) {
        String number = lower.substring(0, lower.length() - unit.suffix.length()).strip();
        return Math.multiplyExact(Long.parseLong(number), unit.millis);
      }
    }
    return Long.parseLong(lower);
  }
}
