/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;


/**
 * A rule with its pages and counters.
 *
 * @param name of the rule
 * @param action never, normal, always or pin
 * @param quota bytes; null if there is none
 * @param pages pages on the SSDs
 * @param bytes bytes that they take
 * @param replicas replicas of this DataNode on its paths, as far as known
 * @param neededBytes SSD space that all their pages take
 * @param reads client reads that matched it
 * @param hits of those, reads that an SSD served at least in part
 * @param rejected reads and pages that it kept out
 * @param evicted pages evicted because of its quota
 */
public record RuleStatus(String name, String action, Long quota, long pages, long bytes,
    long replicas, long neededBytes, long reads, long hits, long rejected, long evicted) {
}
