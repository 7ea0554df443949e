/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.lang.reflect.Field;
import java.util.function.LongSupplier;

import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How often the DataNode opened a replica for a client on its machine that then reads the files
 * itself. The local cache sees none of these reads, and the DataNode neither their number nor their
 * bytes. The DataNode counts the openings, but lets nobody else see its counter.
 */
final class ShortCircuitOpens {

  private static final Logger LOG = LoggerFactory.getLogger(ShortCircuitOpens.class);
  private static final String COUNTER = "blocksGetLocalPathInfo";

  private ShortCircuitOpens() {
  }

  /** @return the DataNode's count, now and later; negative if this DataNode has no such counter. */
  static LongSupplier of(DataNodeMetrics metrics) {
    try {
      Field field = DataNodeMetrics.class.getDeclaredField(COUNTER);
      field.setAccessible(true);
      return ((MutableCounterLong) field.get(metrics))::value;
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("Local cache: short-circuit reads are not counted", e);
      return () -> -1;
    }
  }
}
