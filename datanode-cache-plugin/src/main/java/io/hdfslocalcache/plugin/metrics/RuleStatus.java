/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;


/**
 * A rule and what is on its account.
 *
 * @param name of the rule
 * @param parent the rule above it; null if there is none
 * @param action never, normal, always or pin; null if it is for no read
 * @param quota bytes; null if there is none
 * @param pages pages on the SSDs
 * @param bytes bytes that they take
 * @param bytesWithChildren the same with the pages of the rules below, and pages on their way in
 * @param reads client reads for which it was
 * @param hits of those, reads that an SSD served at least in part
 * @param rejected reads and pages that it kept out
 * @param evicted pages that left because of its quota or one above
 */
public record RuleStatus(String name, String parent, String action, Long quota, long pages,
    long bytes, long bytesWithChildren, long reads, long hits, long rejected, long evicted) {
}
