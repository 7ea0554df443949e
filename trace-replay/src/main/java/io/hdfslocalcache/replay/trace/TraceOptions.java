/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * What the lines of a DataNode's log do not say.
 *
 * @param zone the time zone of their times
 * @param bytesPerChecksum bytes of data for each checksum; 0 if clients ask for none
 */
public record TraceOptions(ZoneId zone, int bytesPerChecksum) {

  /** {@code dfs.bytes-per-checksum} if it is not configured. */
  public static final int BYTES_PER_CHECKSUM = 512;

  /** UTC and HDFS's default. */
  public static final TraceOptions DEFAULT = new TraceOptions(ZoneOffset.UTC, BYTES_PER_CHECKSUM);
}
