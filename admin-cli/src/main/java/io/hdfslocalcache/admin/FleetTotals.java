/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What many DataNodes have, and have done since they started, together.
 *
 * @param ssds how many SSDs are in each state
 * @param usedBytes bytes that page files take
 * @param capacityBytes bytes that page files may take
 * @param ssdBytes bytes that clients read from SSDs
 * @param memoryBytes bytes that clients read from pages in memory
 * @param volumeBytes bytes that clients read from data volumes
 * @param offload of all bytes that clients read, the share from SSDs and memory; null if none
 * @param reuseRate of the reads of admitted blocks, the share that the SSDs served to the last
 *     byte; null if there was none
 * @param pages cached pages
 * @param fills pages filled
 * @param evictions pages evicted
 * @param errors errors of all kinds
 * @param dataNodesWithErrors DataNodes that have counted any
 */
record FleetTotals(Map<String, Integer> ssds, long usedBytes, long capacityBytes, long ssdBytes,
    long memoryBytes, long volumeBytes, Double offload, Double reuseRate, long pages, long fills,
    long evictions, long errors, long dataNodesWithErrors) {

  /** @return the sums of what these DataNodes have answered to status. */
  static FleetTotals of(List<JsonNode> statuses) {
    Map<String, Integer> ssds = new TreeMap<>();
    long used = 0;
    long capacity = 0;
    for (JsonNode status : statuses) {
      for (JsonNode ssd : status.path("ssds")) {
        ssds.merge(ssd.path("state").asText(), 1, Integer::sum);
        used += ssd.path("usedBytes").asLong();
        capacity += ssd.path("capacityBytes").asLong();
      }
    }
    long hitBytes = sum(statuses, "BytesHit");
    long memoryBytes = sum(statuses, "BytesMemory");
    long volumeBytes = sum(statuses, "BytesMiss") + sum(statuses, "BytesBypass");
    long hits = sum(statuses, "ReadsHit");
    return new FleetTotals(ssds, used, capacity, hitBytes - memoryBytes, memoryBytes, volumeBytes,
        share(hitBytes, hitBytes + volumeBytes),
        share(hits, hits + sum(statuses, "ReadsPartialHit") + sum(statuses, "ReadsMissAdmitted")),
        statuses.stream().mapToLong(status -> status.path("pages").asLong()).sum(),
        sum(statuses, "Fills"), sum(statuses, "Evictions"),
        statuses.stream().mapToLong(FleetTotals::errors).sum(),
        statuses.stream().filter(status -> errors(status) > 0).count());
  }

  private static long sum(List<JsonNode> statuses, String counter) {
    return statuses.stream()
        .mapToLong(status -> status.path("counters").path(counter).asLong()).sum();
  }

  private static long errors(JsonNode status) {
    long errors = 0;
    for (JsonNode count : status.path("errors")) {
      errors += count.asLong();
    }
    return errors;
  }

  private static Double share(long part, long whole) {
    return whole == 0 ? null : Double.valueOf((double) part / whole);
  }
}
