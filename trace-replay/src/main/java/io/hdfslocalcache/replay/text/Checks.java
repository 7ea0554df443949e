/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.text;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Complaints about options. */
public final class Checks {

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
