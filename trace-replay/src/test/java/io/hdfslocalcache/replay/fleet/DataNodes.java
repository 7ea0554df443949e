/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.fleet;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.replay.simulate.FleetResult;
import io.hdfslocalcache.replay.simulate.FleetResult.DataNode;

/** Makes what a setting did on some DataNodes, each observed for a day. */
final class DataNodes {

  static final long MB = 1L << 20;
  static final long GB = 1L << 30;

  private static final double HOURS = 24;

  private final List<FleetResult> each = new ArrayList<>();
  private final String setting;
  private final int pageSize;
  private final long capacity;

  DataNodes() {
    this("write-budget 1 GB/day", 1 << 20, 4 * GB);
  }

  DataNodes(String setting, int pageSize, long capacity) {
    this.setting = setting;
    this.pageSize = pageSize;
    this.capacity = capacity;
  }

  /**
   * Adds a DataNode, whose HDDs are busy for 100 seconds without a local cache.
   *
   * @param offload from 0 to 1, which is the share of the HDDs' time that is saved as well
   */
  DataNodes add(String name, double offload, long gigabytesRead, long gigabytesWritten) {
    return add(new DataNode(name, HOURS, 1000 * gigabytesRead, gigabytesRead * GB, offload,
        gigabytesWritten * GB, 100 * (1 - offload), 100));
  }

  DataNodes add(DataNode one) {
    each.add(new FleetResult(setting, "", "-", "-", pageSize, capacity, List.of(one), one, -1,
        new double[0]));
    return this;
  }

  /** Adds DataNodes that differ a little, as those of a cluster do: dn0, dn1 and so on. */
  DataNodes alike(int number) {
    for (int i = 0; i < number; i++) {
      add("dn" + i, 0.6 + i % 3 / 100.0, 240 + i % 3, 24);
    }
    return this;
  }

  FleetResult result() {
    return FleetResult.join(each);
  }
}
