/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A version or setting that only some DataNodes have.
 *
 * @param key {@code version}, or a key of the configuration
 * @param value what these DataNodes have; empty if it is not set there
 * @param most what most DataNodes have; empty if it is not set there
 * @param dataNodes these DataNodes
 */
record FleetDifference(String key, String value, String most, List<String> dataNodes) {
  private static final String VERSION = "version";

  /** @return all that there are between DataNodes that have answered to status. */
  static List<FleetDifference> of(List<FanOut.Answer<JsonNode>> answers) {
    Map<String, Map<String, String>> settings = new LinkedHashMap<>();
    Set<String> keys = new TreeSet<>();
    for (FanOut.Answer<JsonNode> answer : answers) {
      settings.put(answer.dataNode(), settings(answer.value()));
      keys.addAll(settings.get(answer.dataNode()).keySet());
    }
    List<FleetDifference> different = new ArrayList<>();
    keys.forEach(key -> add(different, key, settings));
    return different;
  }

  /** @return version and settings of a DataNode, with those that were changed while it runs. */
  private static Map<String, String> settings(JsonNode status) {
    Map<String, String> settings = new TreeMap<>();
    settings.put(VERSION, status.path(VERSION).asText(""));
    status.path("configuration").fields().forEachRemaining(
        entry -> settings.put(entry.getKey(), entry.getValue().asText()));
    for (JsonNode setting : Status.changed(status)) {
      settings.put(setting.path("key").asText(), setting.path("value").asText());
    }
    return settings;
  }

  private static void add(List<FleetDifference> different, String key,
      Map<String, Map<String, String>> settings) {
    Map<String, List<String>> byValue = new LinkedHashMap<>();
    settings.forEach((dataNode, its) -> byValue.computeIfAbsent(
        its.getOrDefault(key, ""), first -> new ArrayList<>()).add(dataNode));
    String most = "";
    int mostDataNodes = 0;
    for (Map.Entry<String, List<String>> entry : byValue.entrySet()) {
      if (entry.getValue().size() > mostDataNodes) {
        most = entry.getKey();
        mostDataNodes = entry.getValue().size();
      }
    }
    String ofMost = most;
    byValue.remove(ofMost);
    byValue.forEach((value, dataNodes) ->
        different.add(new FleetDifference(key, value, ofMost, dataNodes)));
  }
}
