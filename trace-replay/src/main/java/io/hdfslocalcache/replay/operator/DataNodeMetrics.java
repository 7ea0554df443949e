/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.harness.Jmx;
import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource;

/** Reads a DataNode's figures from its {@code /jmx} page, as a monitoring system does. */
public final class DataNodeMetrics {

  private static final String QUERY =
      "Hadoop:service=DataNode,name=" + LocalCacheMetricsSource.RECORD + "-*";
  /** Hadoop shows the same figures for half a second (hadoop-metrics2.properties). */
  private static final long FRESH_AFTER_MS = 600;
  private static final int ATTEMPTS = 30;

  private final URI dataNode;
  private final Jmx jmx;

  /** Asks the DataNode with this web address. */
  public DataNodeMetrics(URI dataNode) {
    this.dataNode = dataNode;
    this.jmx = new Jmx(dataNode);
  }

  /**
   * Asks for the figures, which may be half a second old.
   *
   * @throws IOException if the DataNode does not answer, or has no local cache
   */
  public Counters now() throws IOException {
    JsonNode bean = jmx.bean(QUERY);
    if (bean.isMissingNode()) {
      throw new IOException("no figures of a local cache at " + dataNode);
    }
    Map<String, Long> values = new TreeMap<>();
    bean.fields().forEachRemaining(field -> {
      if (field.getValue().isIntegralNumber()) {
        values.put(field.getKey(), field.getValue().asLong());
      }
    });
    return new Counters(values);
  }

  /**
   * Waits until all that clients have read so far is counted, and asks for the figures.
   *
   * @throws IOException as {@link #now}, or if reads go on all the time
   */
  public Counters settled() throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      Counters counters = fresh();
      if (counters.readsInProgress() == 0) {
        return counters;
      }
    }
    throw new IOException("the DataNode still has client reads in progress");
  }

  /** Waits until the figures are younger than this call, and asks for them. */
  public Counters fresh() throws IOException {
    Wait.millis(FRESH_AFTER_MS);
    return now();
  }
}
