/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import io.hdfslocalcache.replay.trace.Access;
import io.hdfslocalcache.replay.trace.Trace;

/**
 * The HDDs of a DataNode. Each has a part of the blocks and serves one visit after the other.
 *
 * @param seekMillis milliseconds of each visit before the first byte
 * @param bytesPerSecond bytes a second from then on
 * @param count how many HDDs there are; blocks are spread over them in turn
 */
public record Disk(double seekMillis, double bytesPerSecond, int count) {

  /**
   * Twelve large HDDs: 11.5 ms and 143 MB/s (of 10^6 bytes), as in Baleen (Wong et al., FAST
   * 2024).
   */
  public static final Disk DEFAULT = new Disk(11.5, 143e6, 12);

  private static final double MILLIS = 1000;

  /** @return seconds that the head of an HDD is busy for a visit. */
  double seconds(long bytes) {
    return seekMillis / MILLIS + bytes / bytesPerSecond;
  }

  /**
   * Makes HDDs that are slower or faster by one factor.
   *
   * @param load how many times what they can serve the trace asks of them on average, without a
   *     local cache: 1.5 makes HDDs that fall behind by half an hour in each hour
   */
  public Disk withLoad(Trace trace, double load) {
    double busy = 0;
    for (Access access : trace.accesses()) {
      busy += access.isRead() && access.length() > 0 ? seconds(access.length()) : 0;
    }
    double factor = busy == 0 ? 1 : load * count * trace.spanMillis() / MILLIS / busy;
    return new Disk(seekMillis * factor, bytesPerSecond / factor, count);
  }
}
