/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;

import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Formats numbers for people. */
public final class Text {

  /** Up to 3 minutes, lengths are in seconds. */
  private static final double SHORT_HOURS = 0.05;

  private Text() {
  }

  /** Like {@link String#format}, but independent of the locale. */
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

  /** Such as {@code 80 s}, {@code 40 minutes} or {@code 20.0 hours}. */
  public static String length(double hours) {
    return hours < SHORT_HOURS ? format("%.0f s", hours * 3600)
        : hours < 1 ? format("%.0f minutes", hours * 60) : format("%.1f hours", hours);
  }

  /** Such as {@code 98.7 %}, or a hyphen. */
  public static String percent(OptionalDouble share) {
    return share.isPresent() ? percent(share.getAsDouble()) : "-";
  }

  /** Such as {@code 98.7 %}. */
  public static String percent(double share) {
    return format("%.1f %%", 100 * share);
  }

  /** Such as {@code 1.25}: at most three digits after the point. */
  public static String number(double number) {
    return BigDecimal.valueOf(number).setScale(3, RoundingMode.HALF_UP).stripTrailingZeros()
        .toPlainString();
  }

  /** Reads a size such as {@code 120m}; throws IllegalArgumentException if it is not a size. */
  public static long parseBytes(String size) {
    try {
      return TraditionalBinaryPrefix.string2long(size);
    } catch (StringIndexOutOfBoundsException e) {
      throw new IllegalArgumentException(size, e);
    }
  }

  /** Checks of options. */
  public static final class Checks {

    private static final int PAGE_ALIGNMENT = 4096;
    private static final int MIN_PAGE = 64 << 10;
    private static final int MAX_PAGE = 8 << 20;

    private Checks() {
    }

    /** Throws with this message unless a condition holds. */
    public static void require(boolean isRight, String complaint) {
      if (!isRight) {
        throw new IllegalArgumentException(complaint);
      }
    }

    /** Throws unless a number is large enough. */
    public static void atLeast(String option, double value, long least) {
      require(value >= least, option + ": must be at least " + least);
    }

    /** Throws unless a number is above 0 and finite. */
    public static void moreThanZero(String option, double value) {
      require(value > 0 && !Double.isInfinite(value), option + ": must be more than 0");
    }

    /** Throws unless a DataNode would accept a page size. */
    public static void pageSize(long bytes) {
      require(bytes >= MIN_PAGE && bytes <= MAX_PAGE && bytes % PAGE_ALIGNMENT == 0,
          "--page-size: must be a multiple of 4096 from 64k to 8m, not " + bytes);
    }

    /** Reads sizes above 0 with Hadoop's suffixes. */
    public static final class Bytes implements ITypeConverter<Long> {

      @Override
      public Long convert(String value) {
        try {
          long bytes = Text.parseBytes(value);
          if (bytes > 0) {
            return bytes;
          }
        } catch (IllegalArgumentException e) {
          // The same error.
        }
        throw new TypeConversionException("'" + value + "' is not a size such as 4t");
      }
    }
  }
}
