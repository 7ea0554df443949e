/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;


/**
 * How much of an SSD pages may take.
 *
 * @param bytes bytes, if the percentage is 0
 * @param percent share of the file system's size, 1 to 100, or 0
 */
public record Capacity(long bytes, int percent) {

  /** @return a capacity in bytes. */
  public static Capacity ofBytes(long bytes) {
    return new Capacity(bytes, 0);
  }

  /** @return a capacity that is a share of a file system. */
  public static Capacity ofPercent(int percent) {
    return new Capacity(0, percent);
  }

  /** @return bytes of this capacity on a file system of this size. */
  public long on(long fileSystemBytes) {
    return percent == 0 ? bytes : fileSystemBytes / 100 * percent;
  }

  @Override
  public String toString() {
    return percent == 0 ? Sizes.text(bytes) : percent + "%";
  }
}
