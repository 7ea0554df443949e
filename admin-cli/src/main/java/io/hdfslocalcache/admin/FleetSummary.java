/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What the statuses of many DataNodes add up to, and which DataNodes are not like the others.
 *
 * @param asked how many DataNodes were asked
 * @param conditions how many are in each condition
 * @param totals sums of all that answered
 * @param offload how the offload is distributed; null if no client has read anything
 * @param reuseRate how the reuse rate is distributed; null if nothing admitted was read
 * @param lowestOffload at most ten DataNodes with their offload, the lowest first
 * @param notNormal what is not normal, each with the DataNodes where it is so
 * @param different version and settings that only some DataNodes have
 * @param failures why DataNodes did not answer, each with those DataNodes
 */
record FleetSummary(int asked, Map<String, Integer> conditions, FleetTotals totals, Spread offload,
    Spread reuseRate, Map<String, Double> lowestOffload, Map<String, List<String>> notNormal,
    List<FleetDifference> different, Map<String, List<String>> failures) {

  private static final int LOWEST = 10;
  private static final String OFFLOAD = "offload";

  /**
   * How the shares of DataNodes are distributed, each from 0 to 1.
   *
   * @param lowest the lowest
   * @param tenth the one that a tenth of the DataNodes are below
   * @param median the one that half of the DataNodes are below
   * @param nineTenths the one that nine tenths of the DataNodes are below
   * @param highest the highest
   */
  record Spread(double lowest, double tenth, double median, double nineTenths, double highest) {

    private static Spread of(List<FanOut.Answer<JsonNode>> answers, String name) {
      List<Double> shares = answers.stream().map(answer -> answer.value().path(name))
          .filter(JsonNode::isNumber).map(JsonNode::asDouble).sorted().toList();
      return shares.isEmpty() ? null : new Spread(
          at(shares, 0), at(shares, 0.1), at(shares, 0.5), at(shares, 0.9), at(shares, 1));
    }

    private static double at(List<Double> sorted, double part) {
      return sorted.get((int) Math.round(part * (sorted.size() - 1)));
    }
  }

  /** @return the summary of what all DataNodes have answered to status, or have not. */
  static FleetSummary of(List<FanOut.Answer<JsonNode>> all) {
    List<FanOut.Answer<JsonNode>> answers =
        all.stream().filter(answer -> !answer.failed()).toList();
    List<JsonNode> statuses = answers.stream().map(FanOut.Answer::value).toList();
    Map<String, Integer> conditions = new TreeMap<>();
    statuses.forEach(status ->
        conditions.merge(status.path(Status.CONDITION).asText(), 1, Integer::sum));
    return new FleetSummary(all.size(), conditions,
        FleetTotals.of(statuses), Spread.of(answers, OFFLOAD), Spread.of(answers, "reuseRate"),
        lowestOffload(answers), notNormal(answers), FleetDifference.of(answers), failures(all));
  }

  private static Map<String, Double> lowestOffload(List<FanOut.Answer<JsonNode>> answers) {
    Map<String, Double> lowest = new LinkedHashMap<>();
    answers.stream().filter(answer -> answer.value().path(OFFLOAD).isNumber())
        .sorted(Comparator.comparingDouble(answer -> answer.value().path(OFFLOAD).asDouble()))
        .limit(LOWEST).forEach(answer ->
            lowest.put(answer.dataNode(), answer.value().path(OFFLOAD).asDouble()));
    return lowest;
  }

  private static Map<String, List<String>> notNormal(List<FanOut.Answer<JsonNode>> answers) {
    Map<String, List<String>> byWhat = new LinkedHashMap<>();
    answers.forEach(answer -> notNormal(answer.value())
        .forEach(what -> add(byWhat, what, answer.dataNode())));
    return byWhat;
  }

  private static List<String> notNormal(JsonNode status) {
    List<String> found = new ArrayList<>();
    if (Status.isAbnormal(status)) {
      String condition = status.path(Status.CONDITION).asText();
      // What differs from DataNode to DataNode, such as how far it is, would give each its own line.
      found.add(condition.equals("off") ? Status.state(status) : condition);
    } else if (!status.path("dryRun").asBoolean() && !status.path("note").asText().isEmpty()) {
      found.add(Status.state(status));
    }
    for (JsonNode ssd : status.path("ssds")) {
      if (!ssd.path("state").asText().equals("NORMAL")) {
        found.add(Status.ssd(ssd));
      }
    }
    return found;
  }

  private static Map<String, List<String>> failures(List<FanOut.Answer<JsonNode>> all) {
    Map<String, List<String>> byWhat = new LinkedHashMap<>();
    // A question that is not answered leaves nothing behind, as the whole message would have it.
    all.stream().filter(FanOut.Answer::failed).forEach(answer -> add(byWhat,
        answer.failure().startsWith(Failure.UNANSWERED) ? Failure.UNANSWERED : answer.failure(),
        answer.dataNode()));
    return byWhat;
  }

  private static void add(Map<String, List<String>> byWhat, String what, String dataNode) {
    byWhat.computeIfAbsent(what, first -> new ArrayList<>()).add(dataNode);
  }
}
