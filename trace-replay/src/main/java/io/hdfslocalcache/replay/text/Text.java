/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;

import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** Numbers as people read them. */
public final class Text {

  private Text() {
  }

  /** As {@link String#format}, the same wherever it runs. */
  public static String format(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }

  /** Such as {@code 1,234}. */
  public static String count(long n) {
    return format("%,d", n);
  }

  /** Such as {@code 1 page} or {@code 1,234 pages}. */
  public static String count(long n, String noun) {
    return count(n) + " " + noun + (n == 1 ? "" : "s");
  }

  /** Such as {@code 1 access} or {@code 1,234 accesses}. */
  public static String count(long n, String one, String many) {
    return count(n) + " " + (n == 1 ? one : many);
  }

  /** Such as {@code 98.7 %}, or a hyphen. */
  public static String percent(OptionalDouble share) {
    return share.isPresent() ? percent(share.getAsDouble()) : "-";
  }

  /** Such as {@code 98.7 %}. */
  public static String percent(double share) {
    return format("%.1f %%", 100 * share);
  }

  /** Such as {@code 1.25}: three digits after the point at most. */
  public static String number(double number) {
    return BigDecimal.valueOf(number).setScale(3, RoundingMode.HALF_UP).stripTrailingZeros()
        .toPlainString();
  }

  /** Reads a size such as {@code 120m}; throws IllegalArgumentException if it is none. */
  public static long parseBytes(String size) {
    try {
      return TraditionalBinaryPrefix.string2long(size);
    } catch (StringIndexOutOfBoundsException e) {
      throw new IllegalArgumentException(size, e);
    }
  }
}
