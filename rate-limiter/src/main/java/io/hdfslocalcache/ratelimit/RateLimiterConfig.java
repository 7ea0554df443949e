/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A read-only view of the configuration, with typed getters that check their ranges. The keys come
 * from Hadoop's configuration in a DataNode, or a map in a simulator.
 *
 * <p>Every getter throws {@link IllegalArgumentException} for a value that is not allowed. The
 * message is one line with the key, the value and the allowed values. A missing key has its
 * default; an empty value is an error.
 */
public final class RateLimiterConfig {

  /** The suffixes of durations; "ms" comes before "s", because it ends with it. */
  private enum Duration {
    MS(1), S(1_000), M(60_000), H(3_600_000), D(86_400_000);

    private final String suffix = name().toLowerCase(Locale.ROOT);
    private final long millis;

    Duration(long millis) {
      this.millis = millis;
    }
  }

  private static final String SIZES = "kmgtpe";
  private static final int MAX_VALUE_LENGTH = 200;
  private static final int MAX_ALLOWED_LENGTH = 1000;
  private static final String ALLOWED_BYTES =
      "must be a number of bytes, with or without one of the suffixes k, m, g, t";

  private final Function<String, String> values;

  private RateLimiterConfig(Function<String, String> values) {
    this.values = values;
  }

  /** @return a view of a copy of a map with the values by key. */
  public static RateLimiterConfig of(Map<String, String> values) {
    return new RateLimiterConfig(Map.copyOf(values)::get);
  }

  /**
   * Creates a view of a look-up function, such as a Hadoop configuration's {@code get}.
   *
   * @param values returns the value of a key, or null if it is missing
   */
  public static RateLimiterConfig of(Function<String, String> values) {
    return new RateLimiterConfig(values);
  }

  /**
   * Reads the value of a key, without surrounding white space.
   *
   * @param key the key
   * @param defaultValue what an absent key means
   * @return the value
   */
  public String get(String key, String defaultValue) {
    String value = values.apply(key);
    return value == null ? defaultValue : value.strip();
  }

  /**
   * Reads the whole number in a key.
   *
   * @param key the key
   * @param defaultValue what an absent key means
   * @param min the least value allowed
   * @param max the greatest value allowed
   * @return the number, from {@code min} to {@code max}
   */
  public int getInt(String key, int defaultValue, int min, int max) {
    return (int) inRange(key, get(key, Integer.toString(defaultValue)), Integer::parseInt,
        min, max, "must be a whole number from " + min + " to " + max);
  }

  /**
   * Reads the duration in a key, written as in Hadoop: a whole number with one of the suffixes ms,
   * s, m, h and d; without a suffix, milliseconds.
   *
   * @param key the key
   * @param defaultValue what an absent key means, such as "10m"
   * @param min the shortest duration allowed, such as "1s"
   * @param max the longest duration allowed, such as "1h"
   * @return the duration in milliseconds, from {@code min} to {@code max}
   */
  public long getDurationMillis(String key, String defaultValue, String min, String max) {
    return inRange(key, get(key, defaultValue), RateLimiterConfig::parseMillis,
        parseMillis(min), parseMillis(max), "must be a duration from " + min + " to " + max
        + ", written as a whole number with one of the suffixes ms, s, m, h, d");
  }

  /**
   * Reads the bytes in a key, written as in Hadoop: a whole number with or without one of the
   * suffixes k, m, g, t, powers of 1024. Unlike in other keys, an empty value means the default.
   *
   * @param key the key
   * @param defaultValue what an absent key means
   * @return the bytes, at least 0
   */
  public long getBytes(String key, long defaultValue) {
    String value = get(key, "");
    return value.isEmpty() ? defaultValue : inRange(key, value, RateLimiterConfig::parseBytes,
        0, Long.MAX_VALUE, ALLOWED_BYTES);
  }

  private static long inRange(String key, String value, ToLongFunction<String> parser, long min,
      long max, String allowed) {
    long number;
    try {
      number = parser.applyAsLong(value);
    } catch (ArithmeticException | NumberFormatException e) {
      throw invalid(key, value, allowed, e);
    }
    if (number < min || number > max) {
      throw invalid(key, value, allowed);
    }
    return number;
  }

  /**
   * Reads a size; the suffixes k, m, g, t, p, e are powers of 1024.
   *
   * @throws NumberFormatException if the text is not a whole number with one of the suffixes
   * @throws ArithmeticException when there are more bytes than a long holds
   */
  private static long parseBytes(String text) {
    int last = text.length() - 1;
    int power = last < 0 ? -1 : SIZES.indexOf(Character.toLowerCase(text.charAt(last)));
    if (power < 0) {
      return Long.parseLong(text);
    }
    long unit = 1L << 10 * (power + 1);
    return Math.multiplyExact(Long.parseLong(text.substring(0, last).strip()), unit);
  }

  /**
   * Reads a duration; without a suffix it is in milliseconds.
   *
   * @throws NumberFormatException if the text is not a whole number with one of the suffixes
   * @throws ArithmeticException when there are more milliseconds than a long holds
   */
  private static long parseMillis(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (Duration unit : Duration.values()) {
      if (lower.endsWith(unit.suffix)) {
        String number = lower.substring(0, lower.length() - unit.suffix.length()).strip();
        return Math.multiplyExact(Long.parseLong(number), unit.millis);
      }
    }
    return Long.parseLong(lower);
  }

  /**
   * Creates the exception for a value that is not allowed.
   *
   * @param key the key
   * @param value its value, in the message in one line of limited length
   * @param allowed what would be allowed, such as "must be a whole number from 1 to 9"
   * @return the exception, for the caller to throw
   */
  public static IllegalArgumentException invalid(String key, String value, String allowed) {
    return invalid(key, value, allowed, null);
  }

  /**
   * Creates the exception for a value that is not allowed, with a cause.
   *
   * @param key the key
   * @param value its value, in the message in one line of limited length
   * @param allowed what would be allowed, such as "must be a whole number from 1 to 9"
   * @param cause why it is not allowed, or null
   * @return the exception, for the caller to throw
   */
  public static IllegalArgumentException invalid(
      String key, String value, String allowed, Throwable cause) {
    String message = key + " = " + oneLine(value, MAX_VALUE_LENGTH) + ": "
        + oneLine(allowed, MAX_ALLOWED_LENGTH);
    return new IllegalArgumentException(message, cause);
  }

  private static String oneLine(String text, int maxLength) {
    // An XML value may hold line breaks of any kind.
    String line = String.valueOf(text).replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ");
    return line.length() <= maxLength ? line : line.substring(0, maxLength) + "...";
  }
}
