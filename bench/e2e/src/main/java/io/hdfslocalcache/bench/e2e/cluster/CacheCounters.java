/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What the local cache itself has counted. All zero in a stock DataNode.
 *
 * @param bytesHit bytes of data from the SSD
 * @param bytesMissed from the data volume, while on
 * @param bytesBypassed from the data volume, the local cache not being asked
 * @param pages pages there are
 * @param fillQueue pages that wait to be filled
 * @param fills pages that were filled
 * @param filled bytes of data in pages that were filled
 * @param written bytes of page files that were written to SSDs
 * @param errors errors of all kinds
 * @param normal whether all SSDs are in their normal state: else nothing is filled
 */
public record CacheCounters(long bytesHit, long bytesMissed, long bytesBypassed, long pages,
    long fillQueue, long fills, long filled, long written, long errors,
    boolean normal) {

  static CacheCounters of(JsonNode bean) {
    long errors = 0;
    boolean normal = true;
    for (var field : bean.properties()) {
      if (field.getKey().startsWith("Errors")) {
        errors += field.getValue().asLong();
      } else if (field.getKey().startsWith("State.")) {
        normal &= field.getValue().asLong() == 0;
      }
    }
    return new CacheCounters(bean.path("BytesHit").asLong(), bean.path("BytesMiss").asLong(),
        bean.path("BytesBypass").asLong(), bean.path("Pages").asLong(),
        bean.path("FillQueuePages").asLong(), bean.path("Fills").asLong(),
        bean.path("FillBytes").asLong(), bean.path("FillWrittenBytes").asLong(), errors,
        normal);
  }

  /** @return bytes of data to clients, from wherever. */
  public long bytes() {
    return bytesHit + bytesMissed + bytesBypassed;
  }
}
