/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

/**
 * A path that an operator has pinned by command.
 *
 * @param path absolute HDFS path, with all that is below it
 * @param quota bytes that its pages may take on all SSDs
 * @param pages pages that are on its account now
 * @param bytes SSD space that they take
 * @param lookedUp whether the NameNode has been asked for its blocks since the rules have changed
 */
public record PinStatus(String path, long quota, long pages, long bytes, boolean lookedUp) {
}
