/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.JsonNode;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.Sizes;

/**
 * The sums of many DataNodes' statuses, and the DataNodes that differ from the others.
 *
 * @param asked number of DataNodes asked
 * @param conditions number of DataNodes in each condition
 * @param totals sums of all DataNodes that answered and are not in a dry run, like the following
 * @param offload distribution of the offload; null if no client read anything
 * @param reuseRate distribution of the reuse rate; null if no admitted block was read
 * @param lowestOffload at most ten DataNodes with their offload, the lowest first
 * @param notNormal what is not normal, or was set by commands, each with its DataNodes
 * @param withErrors DataNodes whose errors are in the totals
 * @param budgetSpent DataNodes whose write budget is spent, in a dry run or not
 * @param different version and settings that only some DataNodes have, in a dry run or not
 * @param failures reasons why DataNodes did not answer, each with its DataNodes
 */
record ClusterSummary(int asked, Map<String, Integer> conditions, Totals totals, Spread offload,
    Spread reuseRate, Map<String, Double> lowestOffload, Map<String, List<String>> notNormal,
    List<String> withErrors, List<String> budgetSpent, List<Difference> different,
    Map<String, List<String>> failures) {

  private static final int LOWEST = 10;
  private static final String OFFLOAD = "offload";
  private static final String INDENT = "  ";

  /**
   * The distribution of the shares of DataNodes, each from 0 to 1.
   *
   * @param lowest the lowest
   * @param tenth the 10th percentile
   * @param median the median
   * @param nineTenths the 90th percentile
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

  /** @return the summary of all DataNodes' answers to status, or failures. */
  static ClusterSummary of(List<FanOut.Answer<JsonNode>> all) {
    List<FanOut.Answer<JsonNode>> answered =
        all.stream().filter(answer -> !answer.failed()).toList();
    Map<String, Integer> conditions = new TreeMap<>();
    answered.forEach(answer -> conditions.merge(
        answer.value().path(Status.CONDITION).asText(), 1, Integer::sum));
    // The figures of dry runs are not real, so they are left out.
    List<FanOut.Answer<JsonNode>> answers = answered.stream()
        .filter(answer -> !answer.value().path("dryRun").asBoolean()).toList();
    List<JsonNode> statuses = answers.stream().map(FanOut.Answer::value).toList();
    return new ClusterSummary(all.size(), conditions,
        Totals.of(statuses), Spread.of(answers, OFFLOAD), Spread.of(answers, "reuseRate"),
        lowestOffload(answers), notNormal(answered),
        which(answers, status -> Totals.errors(status) > 0),
        which(answered, Status::isBudgetSpent), Difference.of(answered), failures(all));
  }

  private static List<String> which(
      List<FanOut.Answer<JsonNode>> answers, Predicate<JsonNode> isSuch) {
    return answers.stream().filter(answer -> isSuch.test(answer.value()))
        .map(FanOut.Answer::dataNode).toList();
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
    String condition = status.path(Status.CONDITION).asText();
    boolean isOff = condition.equals("off");
    if (Status.isAbnormal(status) && !isOff) {
      // The progress differs, and would give each DataNode its own line.
      found.add(condition.equals("restoring") ? condition : Status.condition(status));
    }
    // The note of a dry run only says that it is one, that of no-ssd is as short.
    if (isOff || !status.path("note").asText().isEmpty() && !status.path("dryRun").asBoolean()
        && !condition.equals("no-ssd")) {
      found.add(Status.state(status));
    }
    found.addAll(Status.set(status));
    found.addAll(Status.notNormalSsds(status));
    return found;
  }

  private static Map<String, List<String>> failures(List<FanOut.Answer<JsonNode>> all) {
    Map<String, List<String>> byWhat = new LinkedHashMap<>();
    all.stream().filter(FanOut.Answer::failed).forEach(answer ->
        add(byWhat, Failure.ofQuestion(answer.failure()), answer.dataNode()));
    return byWhat;
  }

  private static void add(Map<String, List<String>> byWhat, String what, String dataNode) {
    byWhat.computeIfAbsent(what, first -> new ArrayList<>()).add(dataNode);
  }

  /** @return the summary line by line, without the failures. */
  List<String> text() {
    List<String> lines = new ArrayList<>();
    int stock = failures.getOrDefault(Failure.UNSUPPORTED, List.of()).size();
    int failed = failures.values().stream().mapToInt(List::size).sum() - stock;
    List<String> counts = new ArrayList<>();
    conditions.forEach((condition, n) -> counts.add(n + " " + condition));
    if (stock > 0) {
      counts.add(stock + " without a local cache");
    }
    counts.add(failed + " without an answer");
    lines.add(Text.count(asked, "DataNode") + ": " + String.join(", ", counts));
    addTotals(lines);
    lines.add(row("by DataNode", "lowest", "10 %", "median", "90 %", "highest"));
    lines.add(row("offload", offload));
    lines.add(row("reuse rate", reuseRate));
    lines.add("Lowest offload:" + (lowestOffload.isEmpty() ? " no client reads" : ""));
    lowestOffload.forEach((dataNode, share) ->
        lines.add(String.format(Locale.ROOT, "%9s  %s", Text.percent(share), dataNode)));
    lines.add("Not normal, or set by commands:" + (notNormal.isEmpty() ? " none" : ""));
    rows(notNormal).forEach(row -> lines.add(INDENT + row));
    lines.add("Errors: " + orNone(withErrors));
    lines.add("Write budget spent: " + orNone(budgetSpent));
    lines.add("Different:" + (different.isEmpty() ? " none" : ""));
    for (Difference one : different) {
      lines.add(INDENT + one.key() + " = " + orNotSet(one.value())
          + (one.most() == null ? "" : ", most have " + orNotSet(one.most())) + ": "
          + String.join(", ", one.dataNodes()));
    }
    return lines;
  }

  /** @return a line for each reason why DataNodes did not answer. */
  List<String> failureText() {
    return rows(failures);
  }

  private static List<String> rows(Map<String, List<String>> byWhat) {
    return byWhat.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + String.join(", ", entry.getValue())).toList();
  }

  private static String orNone(List<String> dataNodes) {
    return dataNodes.isEmpty() ? "none" : String.join(", ", dataNodes);
  }

  private void addTotals(List<String> lines) {
    List<String> states = new ArrayList<>();
    totals.ssds().forEach((state, n) -> states.add(n + " " + state));
    lines.add(INDENT + "SSDs: " + (states.isEmpty() ? "none" : String.join(", ", states)) + "; "
        + Sizes.text(totals.usedBytes()) + " of " + Sizes.text(totals.capacityBytes()) + " used");
    lines.add(INDENT + "offload " + Text.percent(totals.offload()) + ", reuse rate "
        + Text.percent(totals.reuseRate()) + "; " + Sizes.text(totals.ssdBytes())
        + " read from SSDs, " + Sizes.text(totals.memoryBytes()) + " from memory, "
        + Sizes.text(totals.volumeBytes()) + " from data volumes");
    lines.add(INDENT + Text.count(totals.pages(), "page") + "; " + totals.fills() + " filled, "
        + totals.evictions() + " evicted; " + (totals.errors() == 0 ? "no errors"
            : Text.count(totals.errors(), "error") + " on "
                + Text.count(totals.dataNodesWithErrors(), "DataNode")));
  }

  private static String row(String name, Spread spread) {
    return spread == null ? row(name, "-", "-", "-", "-", "-")
        : row(name, Text.percent(spread.lowest()), Text.percent(spread.tenth()),
            Text.percent(spread.median()), Text.percent(spread.nineTenths()),
            Text.percent(spread.highest()));
  }

  private static String row(String name, String... cells) {
    StringBuilder row = new StringBuilder(String.format("  %-11s", name));
    for (String cell : cells) {
      row.append(String.format("%9s", cell));
    }
    return row.toString();
  }

  private static String orNotSet(String value) {
    return value.isEmpty() ? "(not set)" : value;
  }

  /**
   * The sums of many DataNodes' state, and of their counters since they started.
   *
   * @param ssds number of SSDs in each state
   * @param usedBytes bytes that page files take
   * @param capacityBytes bytes that page files may take
   * @param ssdBytes bytes that clients read from SSDs
   * @param memoryBytes bytes that clients read from pages in memory
   * @param volumeBytes bytes that clients read from data volumes
   * @param offload byte hit rate: share of the bytes read by clients that came from SSDs and
   *     memory; null if none
   * @param reuseRate hit rate: share of the reads of admitted blocks that SSDs served completely;
   *     null if none
   * @param pages cached pages
   * @param fills pages filled
   * @param evictions pages evicted
   * @param errors errors of all kinds
   * @param dataNodesWithErrors DataNodes with errors
   */
  record Totals(Map<String, Integer> ssds, long usedBytes, long capacityBytes, long ssdBytes,
      long memoryBytes, long volumeBytes, Double offload, Double reuseRate, long pages, long fills,
      long evictions, long errors, long dataNodesWithErrors) {

    /** @return the sums of these DataNodes' answers to status. */
    static Totals of(List<JsonNode> statuses) {
      Map<String, Integer> ssds = new TreeMap<>();
      long used = 0;
      long capacity = 0;
      for (JsonNode status : statuses) {
        for (JsonNode ssd : status.path("ssds")) {
          ssds.merge(ssd.path("state").asText(), 1, Integer::sum);
          used += ssd.path("usedBytes").asLong();
          capacity += ssd.path("capacityBytes").asLong();
        }
      }
      long hitBytes = sum(statuses, "BytesHit");
      long memoryBytes = sum(statuses, "BytesMemory");
      long volumeBytes = sum(statuses, "BytesMiss") + sum(statuses, "BytesBypass");
      long hits = sum(statuses, "ReadsHit");
      return new Totals(ssds, used, capacity, hitBytes - memoryBytes, memoryBytes, volumeBytes,
          share(hitBytes, hitBytes + volumeBytes),
          share(hits, hits + sum(statuses, "ReadsPartialHit") + sum(statuses, "ReadsMissAdmitted")),
          statuses.stream().mapToLong(status -> status.path("pages").asLong()).sum(),
          sum(statuses, "Fills"), sum(statuses, "Evictions"),
          statuses.stream().mapToLong(Totals::errors).sum(),
          statuses.stream().filter(status -> errors(status) > 0).count());
    }

    private static long sum(List<JsonNode> statuses, String counter) {
      return statuses.stream()
          .mapToLong(status -> status.path("counters").path(counter).asLong()).sum();
    }

    private static long errors(JsonNode status) {
      long errors = 0;
      for (JsonNode count : status.path("errors")) {
        errors += count.asLong();
      }
      return errors;
    }

    private static Double share(long part, long whole) {
      return whole == 0 ? null : Double.valueOf((double) part / whole);
    }
  }

  /**
   * A version or setting that only some DataNodes have.
   *
   * @param key {@code version}, or a key of the configuration
   * @param value the value of these DataNodes; empty if not set
   * @param most the value of most DataNodes; empty if not set; null if there is no such value
   * @param dataNodes these DataNodes
   */
  record Difference(String key, String value, String most, List<String> dataNodes) {
    private static final String VERSION = "version";
    /** Places on a host: it is no difference if each host has its own. */
    private static final Set<String> PLACES = Set.of(LocalCacheKeys.DIRECTORIES,
        LocalCacheKeys.MEMORY_DIRECTORY, LocalCacheKeys.PINS_DIRECTORY,
        LocalCacheKeys.RULES_FILE, LocalCacheKeys.TRACE_DIRECTORY);

    /** @return the differences between the DataNodes that answered to status. */
    static List<Difference> of(List<FanOut.Answer<JsonNode>> answers) {
      Map<String, Map<String, String>> settings = new LinkedHashMap<>();
      Set<String> keys = new TreeSet<>();
      for (FanOut.Answer<JsonNode> answer : answers) {
        settings.put(answer.dataNode(), settings(answer.value()));
        keys.addAll(settings.get(answer.dataNode()).keySet());
      }
      List<Difference> different = new ArrayList<>();
      keys.forEach(key -> add(different, key, settings));
      return different;
    }

    /** @return version and settings of a DataNode, including settings changed while it runs. */
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

    private static void add(List<Difference> different, String key,
        Map<String, Map<String, String>> settings) {
      Map<String, List<String>> byValue = new LinkedHashMap<>();
      settings.forEach((dataNode, its) -> byValue.computeIfAbsent(
          its.getOrDefault(key, ""), first -> new ArrayList<>()).add(dataNode));
      String ofMost = byValue.entrySet().stream()
          .filter(entry -> 2 * entry.getValue().size() > settings.size())
          .map(Map.Entry::getKey).findFirst().orElse(null);
      if (ofMost == null && PLACES.contains(key)) {
        return;
      }
      byValue.remove(ofMost);
      byValue.forEach((value, dataNodes) ->
          different.add(new Difference(key, value, ofMost, dataNodes)));
    }
  }
}
