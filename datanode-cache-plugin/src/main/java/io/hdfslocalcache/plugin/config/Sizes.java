/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.util.Locale;

import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** Numbers of bytes for people: the same in commands, logs and messages. */
public final class Sizes {

  private Sizes() {
  }

  /** @return such as {@code 1.2 GB}; a KB has 1024 bytes. */
  public static String text(long bytes) {
    return TraditionalBinaryPrefix.long2String(bytes, "B", 1);
  }

  /**
   * The same of a size that is compared with another.
   *
   * @param other if it is not the same size, but would read the same, each has all its digits
   * @return such as {@code 1.2 GB}, or {@code 1,288,490,189 B}
   */
  public static String text(long bytes, long other) {
    return bytes == other || !rounded(bytes).equals(rounded(other)) ? text(bytes)
        : String.format(Locale.ROOT, "%,d B", bytes);
  }

  /** Where Hadoop has no digit after the point, the size is exact: 1.0 MB is nearly 1 MB. */
  private static String rounded(long bytes) {
    return text(bytes).replace(".0 ", " ");
  }
}
