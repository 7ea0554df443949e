/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo.watch;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetricsSource;

/** Reads a DataNode's figures from its {@code /jmx} page, as a monitoring system does. */
public final class DataNodeMetrics {

  private static final String QUERY =
      "/jmx?qry=Hadoop:service=DataNode,name=" + LocalCacheMetricsSource.RECORD + "-*";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  /** Hadoop shows the same figures for half a second (hadoop-metrics2.properties). */
  private static final long FRESH_AFTER_MS = 600;
  private static final int ATTEMPTS = 30;

  // The DataNode's front end refuses what asks to be upgraded to HTTP/2.
  private final HttpClient http = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final ObjectMapper mapper = new ObjectMapper();
  private final HttpRequest request;

  /** Asks the DataNode with this web address. */
  public DataNodeMetrics(URI dataNode) {
    this.request = HttpRequest.newBuilder(dataNode.resolve(QUERY)).timeout(TIMEOUT).build();
  }

  /**
   * Asks for the figures, which may be half a second old.
   *
   * @throws IOException if the DataNode does not answer, or has no local cache
   */
  public Counters now() throws IOException {
    JsonNode beans = mapper.readTree(get()).path("beans");
    if (beans.size() != 1) {
      throw new IOException("no figures of a local cache at " + request.uri());
    }
    Map<String, Long> values = new TreeMap<>();
    beans.get(0).fields().forEachRemaining(field -> {
      if (field.getValue().isIntegralNumber()) {
        values.put(field.getKey(), field.getValue().asLong());
      }
    });
    return new Counters(values);
  }

  private String get() throws IOException {
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(request.uri() + " answers " + response.statusCode());
      }
      return response.body();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
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
    try {
      Thread.sleep(FRESH_AFTER_MS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    return now();
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException thrown = new InterruptedIOException("interrupted");
    thrown.initCause(e);
    return thrown;
  }
}
