/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.util.Locale;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/**
 * One read of a client.
 *
 * @param startMillis when it began, milliseconds since 1970
 * @param durationMicros microseconds until its last byte was handed to the socket
 * @param blockPoolId the block pool
 * @param blockId the block
 * @param generationStamp of the replica
 * @param replicaBytes bytes of block data in the replica
 * @param offset first byte requested
 * @param length requested bytes that were sent
 * @param reader address of the client, without a port
 * @param outcome where the bytes came from
 */
public record TracedRead(long startMillis, long durationMicros, String blockPoolId, long blockId,
    long generationStamp, long replicaBytes, long offset, long length, String reader,
    ReadOutcome outcome) {

  /** The first line of a trace: names of the columns. */
  static final String HEADER = "time_ms,op,block_pool,block_id,generation_stamp,offset,length,"
      + "duration_us,reader,block_bytes,outcome\n";

  /** @return a copy with other names for block and reader. */
  TracedRead renamed(String newBlockPoolId, long newBlockId, String newReader) {
    return new TracedRead(startMillis, durationMicros, newBlockPoolId, newBlockId,
        generationStamp, replicaBytes, offset, length, newReader, outcome);
  }

  /** Appends its line. No value has a comma in it, so there are no quotes. */
  void appendTo(StringBuilder lines) {
    lines.append(startMillis).append(",read,").append(blockPoolId).append(',').append(blockId)
        .append(',').append(generationStamp).append(',').append(offset).append(',').append(length)
        .append(',').append(durationMicros).append(',').append(reader).append(',')
        .append(replicaBytes).append(',').append(outcome.name().toLowerCase(Locale.ROOT))
        .append('\n');
  }
}
