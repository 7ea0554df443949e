/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Where a cluster keeps what.
 *
 * @param base logs, configurations, and the NameNode's files
 * @param data the DataNode's data directory
 * @param ssd the directory for pages
 * @param capacityBytes what pages may take there
 * @param cgroups the DataNode's groups of processes: files to write process ids to
 */
public record Places(Path base, Path data, Path ssd, long capacityBytes,
    List<Path> cgroups) {

  /** @return places below these, for one of several clusters. */
  public Places of(String name) {
    return new Places(base.resolve(name), data.resolve(name), ssd.resolve(name), capacityBytes,
        cgroups);
  }

  /** Makes the directories, with nothing in them. */
  public void prepare() throws IOException {
    Trees.empty(base);
    discard();
  }

  /** Deletes what takes space. The logs stay. */
  public void discard() throws IOException {
    Trees.empty(data);
    Trees.empty(ssd);
  }
}
