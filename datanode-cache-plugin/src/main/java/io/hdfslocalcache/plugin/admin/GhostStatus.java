/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

/**
 * What a local cache with other settings would have done since the DataNode started.
 *
 * @param name of the ghost
 * @param hits client reads that its SSDs would have served to the last byte
 * @param offload of all bytes that clients read, the share from its SSDs; null if they read none
 * @param reuseRate of the reads of blocks that it admits, the share that its SSDs would have served
 *     to the last byte; null if there was none
 * @param writtenBytes bytes that it would have written to its SSDs
 * @param pages pages that it has
 * @param usedBytes bytes that their files would take
 * @param capacityBytes bytes that page files may take
 * @param evictions pages that had to leave
 * @param evictedWithoutRead of these, pages that no read used
 * @param errors errors in the ghost itself
 */
public record GhostStatus(String name, long hits, Double offload, Double reuseRate,
    long writtenBytes, long pages, long usedBytes, long capacityBytes, long evictions,
    long evictedWithoutRead, long errors) {
}
