/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import io.hdfslocalcache.replay.simulate.Result;

/**
 * What an operator has.
 *
 * @param ssdBytes bytes of the SSD, or of all of them together
 * @param drivesPerDay how often a day the SSD may be written as a whole
 * @param directories how many SSDs there are
 */
public record Wish(long ssdBytes, double drivesPerDay, int directories) {

  /** The file system needs the rest. */
  private static final double USABLE = 0.9;
  private static final long GB = 1L << 30;

  /** @return bytes that pages may take on each SSD: whole GB if that is not too coarse. */
  public long capacityOfEach() {
    long each = (long) (ssdBytes * USABLE / directories);
    return each >= 16 * GB ? each / GB * GB : each / (1 << 20) * (1 << 20);
  }

  /** @return bytes that pages may take on all SSDs. */
  public long capacity() {
    return capacityOfEach() * directories;
  }

  /** @return bytes that may be written in a day to all SSDs together. */
  public double bytesPerDay() {
    return ssdBytes * drivesPerDay;
  }

  /** @return size of the SSDs on which pages would take as much as in a result. */
  public double ssdBytes(Result result) {
    return (double) ssdBytes / capacity() * result.capacity();
  }

  /** @return how often a day the SSDs of a result would be written as a whole. */
  public double drivesPerDay(Result result) {
    return result.bytesWrittenPerDay() / ssdBytes(result);
  }
}
