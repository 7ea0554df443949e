/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.text;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Complaints about options. */
public final class Checks {

  private static final int PAGE_ALIGNMENT = 4096;
  private static final int MIN_PAGE = 64 << 10;
  private static final int MAX_PAGE = 8 << 20;

  private Checks() {
  }

  /** Complains unless something is right. */
  public static void require(boolean isRight, String complaint) {
    if (!isRight) {
      throw new IllegalArgumentException(complaint);
    }
  }

  /** Complains unless a number is large enough. */
  public static void atLeast(String option, double value, long least) {
    require(value >= least, option + ": must be at least " + least);
  }

  /** Complains unless a number is above 0 and finite. */
  public static void moreThanZero(String option, double value) {
    require(value > 0 && !Double.isInfinite(value), option + ": must be more than 0");
  }

  /** Complains unless a DataNode would take a page size. */
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
        // The same complaint.
      }
      throw new TypeConversionException("'" + value + "' is not a size such as 4t");
    }
  }
}
