/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.ProjectFiles;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Every metric and label that dashboard and alerts ask for is in the /prom of a DataNode. */
public class TestDashboards {

  private static final Pattern METRIC =
      Pattern.compile("(data_node_local_cache|jvm_metrics)_[a-z_]+");
  private static final Pattern LABEL = Pattern.compile("\\{\\{ ?(?:\\$labels\\.)?([a-z_]+) ?}}");
  private static final Pattern STATE = Pattern.compile("directory_state (==|>=) ([0-9])");
  /** Labels that Prometheus adds itself. */
  private static final Set<String> OWN_LABELS = Set.of("instance", "job");

  private static LocalCacheCluster cluster;
  private static LocalCacheCluster dryRun;
  private static Map<String, String> labelsByMetric;

  @BeforeClass
  public static void scrape() throws IOException {
    cluster = LocalCacheCluster.builder().set(RateLimiterFactory.CLASS_KEY, "write-budget")
        .set("dfs.datanode.local.cache.write.budget", "1g")
        .set(CommonConfigurationKeysPublic.HADOOP_PROMETHEUS_ENABLED, true).start();
    dryRun = LocalCacheCluster.builder().set(LocalCacheKeys.DRY_RUN, true).start();
    LocalCacheCluster.await("the first figures", () -> prom().containsKey(
        "data_node_local_cache_directory_state")
        && prom().containsKey("data_node_local_cache_dry_run_reads_hit"));
    labelsByMetric = prom();
  }

  @AfterClass
  public static void stop() {
    dryRun.close();
    cluster.close();
  }

  /** @return the labels of each metric. */
  private static Map<String, String> prom() throws IOException {
    Map<String, String> labels = new HashMap<>();
    cluster.prom().stream().filter(line -> METRIC.matcher(line).lookingAt()).forEach(line ->
        labels.put(line.substring(0, line.indexOf('{')), line.substring(line.indexOf('{'))));
    return labels;
  }

  @Test
  public void dashboard_everyQuery_findsItsMetrics() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(
        Files.readString(ProjectFiles.of("conf/grafana-dashboard.json")));
    Set<Integer> ids = new TreeSet<>();
    for (JsonNode panel : dashboard.get("panels")) {
      assertTrue("panels have ids of their own", ids.add(panel.get("id").asInt()));
      assertEquals("rows have no queries",
          panel.get("type").asText().equals("row"), panel.path("targets").isEmpty());
      for (JsonNode target : panel.path("targets")) {
        String query = target.get("expr").asText();
        assertTrue(query, query.contains("$cluster") || query.contains("$instance"));
        check(query, target.get("legendFormat").asText());
      }
    }
    assertTrue(ids.size() >= 10);
    for (String variable : List.of("/templating/list/1", "/templating/list/2")) {
      check(dashboard.at(variable + "/query/query").asText(), "");
    }
  }

  /** @return each alert from its name on. */
  private static List<String> alerts() throws IOException {
    String rules = Files.readString(ProjectFiles.of("conf/prometheus-alerts.yml"));
    List<String> alerts = new ArrayList<>(List.of(rules.split("- alert: ")));
    alerts.remove(0);
    return alerts;
  }

  private static String expression(String alert) {
    return alert.substring(alert.indexOf("expr:"), alert.indexOf("labels:"));
  }

  @Test
  public void alerts_everyExpression_findsItsMetrics() throws IOException {
    assertTrue(alerts().size() >= 5);
    for (String alert : alerts()) {
      check(expression(alert), alert.substring(alert.indexOf("labels:")));
      assertTrue(alert, alert.contains("summary: ") && alert.contains("action: "));
    }
  }

  /** One alert for each state, so that none is reported twice; none for a normal state. */
  @Test
  public void alerts_everyStateThatIsNotNormal_hasOne() throws IOException {
    Map<SsdState, String> alertsByState = new EnumMap<>(SsdState.class);
    for (String alert : alerts()) {
      for (Matcher state = STATE.matcher(expression(alert)); state.find();) {
        int bound = Integer.parseInt(state.group(2));
        Stream.of(SsdState.values()).filter(one -> state.group(1).equals("==")
            ? one.ordinal() == bound : one.ordinal() >= bound).forEach(one ->
            assertNull(one + " twice", alertsByState.put(one, alert.lines().findFirst().get())));
      }
    }
    assertEquals(Map.of(SsdState.DEGRADED, "LocalCacheSsdDegraded",
        SsdState.PROBING, "LocalCacheSsdDown", SsdState.DOWN, "LocalCacheSsdDown"), alertsByState);
  }

  /** Problems that come and go, or that leave no metrics at all. */
  @Test
  public void alerts_flappingSpentBudgetAndMissingFigures_haveOne() throws IOException {
    for (String wanted : List.of("increase(data_node_local_cache_health_changes[",
        "data_node_local_cache_admission_budget_balance_bytes",
        "unless on (instance) data_node_local_cache_on")) {
      assertEquals(wanted, 1,
          alerts().stream().filter(alert -> expression(alert).contains(wanted)).count());
    }
  }

  /** The same share as {@code status} shows. */
  @Test
  public void alerts_shortCircuitOpens_areComparedWithAllReadsOfClients() throws IOException {
    String share = alerts().stream().filter(alert -> alert.startsWith("LocalCacheShortCircuit"))
        .map(TestDashboards::expression).findFirst().get();
    for (ReadOutcome outcome : ReadOutcome.values()) {
      String metric = "data_node_local_cache"
          + outcome.metric().replaceAll("[A-Z]", "_$0").toLowerCase(Locale.ROOT) + "[";
      assertEquals(metric, outcome != ReadOutcome.BYPASS_NOT_CLIENT, share.contains(metric));
    }
  }

  /** Also evaluates the alerts, if Prometheus's own tool is on the path. */
  @Test
  public void alerts_madeUpFigures_fireWhenTheyShould() throws IOException {
    assumeTrue("no promtool, a part of Prometheus", Run.tryTo("promtool", "--version"));
    Run.output("promtool", "test", "rules", ProjectFiles.of(
        "datanode-cache-plugin/src/test/resources/prometheus-alerts-test.yml").toString());
  }

  private static void check(String expression, String text) {
    Set<String> metrics = METRIC.matcher(expression).results().map(m -> m.group())
        .collect(Collectors.toSet());
    assertTrue(expression, !metrics.isEmpty());
    for (String metric : metrics) {
      assertTrue(metric + " in " + expression, labelsByMetric.containsKey(metric));
      for (Matcher label = LABEL.matcher(text); label.find();) {
        assertTrue(label.group() + " of " + metric, OWN_LABELS.contains(label.group(1))
            || labelsByMetric.get(metric).contains(label.group(1) + "=\""));
      }
    }
    assertEquals(expression, count(expression, '('), count(expression, ')'));
  }

  private static long count(String text, char c) {
    return text.chars().filter(one -> one == c).count();
  }
}
