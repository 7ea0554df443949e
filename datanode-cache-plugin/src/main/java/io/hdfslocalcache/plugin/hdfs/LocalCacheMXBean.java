/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.util.List;

/**
 * What a monitor or a person at the DataNode's {@code /jmx} page asks first, as
 * {@code Hadoop:service=DataNode,name=LocalCache}. The counters are in the metrics.
 */
public interface LocalCacheMXBean {

  /** @return whether reads are looked up in the local cache. */
  boolean isOn();

  /** @return whether the local cache is only played through: nothing is served from an SSD. */
  boolean isDryRun();

  /** @return the SSDs, those that could not be opened last; empty before the storage is ready. */
  List<SsdStatus> getDirectories();
}
