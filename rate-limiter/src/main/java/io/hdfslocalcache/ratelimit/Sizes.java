/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

/** Sizes as operators write them: a whole number and a suffix, like Hadoop's. */
final class Sizes {
  private static final String SUFFIXES = "kmgtpe";

  private Sizes() {
  }

  /**
   * Reads a size; the suffixes k, m, g, t, p, e are powers of 1024.
   *
   * @param text such as "1600g", in lower or upper case
   * @return bytes
   * @throws NumberFormatException when the text is no whole number with one of the suffixes
   * @throws ArithmeticException when there are more bytes than a long holds
   */
  static long parseBytes(String text) {
    int last = text.length() - 1;
    int power = last < 0 ? -1 : SUFFIXES.indexOf(Character.toLowerCase(text.charAt(last)));
    if (power < 0) {
      return Long.parseLong(text);
    }
    long unit = 1L << 10 * (power + 1);
    return Math.multiplyExact(Long.parseLong(text.substring(0, last).strip()), unit);
  }
}
