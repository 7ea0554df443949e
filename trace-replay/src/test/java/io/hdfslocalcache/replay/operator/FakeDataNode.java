/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;

/** The page {@code /jmx} of a DataNode, with figures that a test chooses. */
public final class FakeDataNode implements Closeable {

  private static final int OK = 200;

  private final HttpServer server;
  private final Queue<String> answers = new ArrayDeque<>();
  /** The answer once there are no others left; null: an error. */
  private String last = beans("");
  private int questions;

  FakeDataNode() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/jmx", this::answer);
    server.start();
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String json = answers.isEmpty() ? last : answers.remove();
    questions++;
    byte[] body = (json == null ? "broken" : json).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(json == null ? 500 : OK, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String beans(String bean) {
    return "{\"beans\":[" + bean + "]}";
  }

  /** @return figures of a local cache, all 0 but these. */
  static Map<String, Object> figures(Map<String, ?> but) {
    Map<String, Object> values = new TreeMap<>();
    for (ReadOutcome outcome : ReadOutcome.values()) {
      values.put(outcome.metric(), 0);
    }
    for (Event event : Event.values()) {
      values.put(event.metric(), 0);
    }
    values.put("ReadsInProgress", 0);
    values.putAll(but);
    return values;
  }

  /** @return the counters of a local cache, all 0 but these. */
  public static Counters counters(Map<String, Long> but) {
    Map<String, Long> values = new TreeMap<>();
    figures(but).forEach((name, value) -> values.put(name, ((Number) value).longValue()));
    return new Counters(values);
  }

  /** @return figures after so many bytes. */
  static Map<String, Object> bytes(long fromSsd, long fromDisk) {
    return figures(Map.of(Event.BYTES_HIT.metric(), fromSsd,
        Event.BYTES_MISS.metric(), fromDisk));
  }

  private static String json(Map<String, ?> figures) {
    try {
      return beans(new ObjectMapper().writeValueAsString(figures));
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Answers with these once, before what it {@link #shows} from then on. */
  synchronized FakeDataNode first(Map<String, ?> figures) {
    answers.add(json(figures));
    return this;
  }

  synchronized FakeDataNode shows(Map<String, ?> figures) {
    last = json(figures);
    return this;
  }

  synchronized FakeDataNode isBroken() {
    last = null;
    return this;
  }

  synchronized int questions() {
    return questions;
  }

  URI web() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** @return the NameNode's entry for it. */
  DatanodeInfo info() {
    return new DatanodeInfoBuilder().setIpAddr("127.0.0.1").setHostName("localhost")
        .setDatanodeUuid("uuid" + server.getAddress().getPort())
        .setInfoPort(server.getAddress().getPort()).build();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
