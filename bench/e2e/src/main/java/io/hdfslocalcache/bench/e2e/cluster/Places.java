/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.nio.file.Path;

/**
 * Where a cluster keeps what.
 *
 * @param base logs, configurations, and the NameNode's files
 * @param data the DataNode's data directory
 * @param ssd the directory for pages
 * @param capacityBytes what pages may take there
 * @param cgroup the DataNode's group of processes: a file to write process ids to; or null
 */
public record Places(Path base, Path data, Path ssd, long capacityBytes, Path cgroup) {
}
