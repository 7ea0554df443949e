/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

/**
 * How long a disk's head is busy.
 *
 * @param seekMillis milliseconds of each read before the first byte
 * @param bytesPerSecond bytes a second from then on
 */
public record Disk(double seekMillis, double bytesPerSecond) {

  /** A large HDD: 11.5 ms and 143 MB/s (of 10^6 bytes), as in Baleen (Wong et al., FAST 2024). */
  public static final Disk DEFAULT = new Disk(11.5, 143e6);

  private static final double MILLIS = 1000;

  /** @return seconds for some reads. */
  double seconds(long reads, long bytes) {
    return reads * seekMillis / MILLIS + bytes / bytesPerSecond;
  }
}
