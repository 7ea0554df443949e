/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfslocalcache.plugin.admin.CacheStatus;
import io.hdfslocalcache.plugin.admin.CacheStatus.MemoryView;
import io.hdfslocalcache.plugin.admin.CacheStatus.SsdView;
import io.hdfslocalcache.plugin.settings.RuntimeSettings.SettingView;
import org.apache.hadoop.conf.Configuration;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** One view of 200 DataNodes that answer and ten that accept the call and never answer. */
public class TestClusterSummary {
  private static final int ANSWERING = 200;
  private static final int HANGING = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String PREFIX = "dfs.datanode.local.cache.";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Configuration CONF = new Configuration();
  private static final List<StandIn> STAND_INS = new ArrayList<>();

  /** Every tenth of the first hundred hangs. */
  @BeforeClass
  public static void start() throws IOException {
    for (int i = 0; i < ANSWERING; i++) {
      if (i % 10 == 0 && i < 10 * HANGING) {
        STAND_INS.add(StandIn.hanging(CONF));
      }
      String condition =
          i == 20 ? "off" : i == 50 ? "ssd-down" : i == 80 ? "not-filling" : i == 90 ? "warm" : "filling";
      STAND_INS.add(StandIn.answering(CONF, 0, JSON.createObjectNode().put("condition", condition)
          .put("normal", i != 20 && i != 50)
          .setAll((ObjectNode) JSON.valueToTree(status(i))).toString()));
    }
  }

  @AfterClass
  public static void stop() {
    STAND_INS.forEach(StandIn::close);
  }

  /** The i-th reads i thousandths of its bytes from its two SSDs. Some have something special. */
  private static CacheStatus status(int i) {
    boolean isOff = i == 20;
    Map<String, String> configuration = new TreeMap<>(Map.of(PREFIX + "capacity", "1g"));
    if (i == 30) {
      configuration.put(PREFIX + "io.deadline", "5s");
    }
    String note = isOff || i == 100 ? "(until the DataNode restarts)" : i == 50
        ? "(saved settings and pins are not known: no /ssd/1)" : "";
    return new CacheStatus(!isOff, note, 10, 1, 0,
        i / 1000.0, i < 100 ? null : Double.valueOf(0.5), null,
        Map.of("BytesHit", (long) i << 20, "BytesMiss", 1000L - i << 20, "Fills", 10L,
            "ReadsHit", 1L, "ReadsMissAdmitted", 3L),
        i == 40 ? Map.of("ErrorsPageReadIo", 2L) : Map.of(),
        i == 10 ? Map.of() : Map.of("BudgetBytesPerDay", 1L << 30,
            "BudgetBalanceBytes", i == 80 || i == 90 ? -5L : 1L), new MemoryView(0, 0, 0),
        List.of(new SsdView("/ssd/0", "NORMAL", "", 1 << 20, 1 << 30, false, null),
            i == 50 ? new SsdView("/ssd/1", "DOWN", "not mounted", 0, 1 << 30, false, null)
                : new SsdView("/ssd/1", "NORMAL", "", 1 << 20, 1 << 30, false, null)),
        List.of(),
        List.of(new SettingView(PREFIX + "capacity", i == 60 ? "2g" : "1g", "1g", null)),
        false, i == 70 ? "0.0.9" : "0.1.0", configuration);
  }

  /** @return the address of the i-th that answers. */
  private static String answering(int i) {
    return STAND_INS.get(i + Math.min(HANGING, i / 10 + 1)).address();
  }

  private static List<String> hanging() {
    List<String> hanging = new ArrayList<>();
    for (int i = 0; i < HANGING; i++) {
      hanging.add(STAND_INS.get(11 * i).address());
    }
    return hanging;
  }

  private static CommandResult summary(String... options) throws Exception {
    List<String> args = new ArrayList<>(List.of("status", "--summary"));
    args.addAll(List.of(options));
    STAND_INS.forEach(standIn -> args.add(standIn.address()));
    return CommandResult.ofVerb(CONF,
        new DataNodeClient.Timeouts(PATIENCE, PATIENCE), args.toArray(String[]::new));
  }

  @Test
  public void summary_someHang_showsTheOthersInTime() throws Exception {
    long begin = System.nanoTime();
    CommandResult result = summary();
    Duration took = Duration.ofNanos(System.nanoTime() - begin);

    assertTrue(took.toString(), took.compareTo(PATIENCE.multipliedBy(HANGING)) < 0);
    assertEquals(1, result.exitCode());
    assertEquals(List.of("does not answer: " + String.join(", ", hanging())),
        result.err());
    List<String> expected = new ArrayList<>(List.of(
        "210 DataNodes: 196 filling, 1 not-filling, 1 off, 1 ssd-down, 1 warm, 10 without an answer",
        "  SSDs: 1 DOWN, 399 NORMAL; 399 MB of 400 GB used",
        "  offload 10.0 %, reuse rate 25.0 %; 19.4 GB read from SSDs, 0 B from memory, "
            + "175.9 GB from data volumes",
        "  2000 pages; 2000 filled, 0 evicted; 2 errors on 1 DataNode",
        "  by DataNode   lowest     10 %   median     90 %  highest",
        "  offload        0.0 %    2.0 %   10.0 %   17.9 %   19.9 %",
        "  reuse rate    50.0 %   50.0 %   50.0 %   50.0 %   50.0 %",
        "Lowest offload:"));
    for (int i = 0; i < 10; i++) {
      expected.add("    0." + i + " %  " + answering(i));
    }
    expected.addAll(List.of("Not normal, or set by commands:",
        "  off (until the DataNode restarts): " + answering(20),
        "  ssd-down: " + answering(50),
        "  on (saved settings and pins are not known: no /ssd/1): " + answering(50),
        "  SSD /ssd/1: DOWN (not mounted): " + answering(50),
        "  " + PREFIX + "capacity = 2g until the DataNode restarts, configured is 1g: " + answering(60),
        "  on (until the DataNode restarts): " + answering(100),
        "Errors: " + answering(40),
        "Write budget spent: " + answering(80) + ", " + answering(90),
        "Different:",
        "  " + PREFIX + "capacity = 2g, most have 1g: " + answering(60),
        "  " + PREFIX + "io.deadline = 5s, most have (not set): " + answering(30),
        "  version = 0.0.9, most have 0.1.0: " + answering(70)));
    assertEquals(String.join("\n", expected), String.join("\n", result.out()));
  }

  @Test
  public void waitFor_takesLong_saysOnceWhatItWaitsFor() throws Exception {
    String down = "ssd-down; on (saved settings and pins are not known: no /ssd/1); "
        + "SSD /ssd/1: DOWN (not mounted)";
    CommandResult.ofVerb(CONF, "status", "--wait-for", "ready", "--timeout", "15s", answering(50))
        .assertFailed(answering(50) + ": is not ready yet: " + down,
            answering(50) + ": is not ready after 15 s: " + down);
  }

  @Test
  public void notNormal_noSsdIsDown_saysWhy() {
    ObjectNode status = JSON.createObjectNode().put("condition", "ssd-degraded")
        .put("conditionDetail", "cannot save state in /ssd/0/uuid: Input/output error")
        .put("normal", false);
    status.putArray("ssds").addObject().put("directory", "/ssd/0").put("state", "NORMAL");
    assertEquals(
        Map.of("ssd-degraded: cannot save state in /ssd/0/uuid: Input/output error", List.of("a:1")),
        ClusterSummary.of(List.of(new FanOut.Answer<>("a:1", status, null))).notNormal());
  }

  @Test
  public void budgetThatIsNotKnown_isNotSpent() {
    ObjectNode status = JSON.createObjectNode().put("condition", "ssd-down");
    status.putObject("admission").put("BudgetBytesPerDay", 64);
    assertEquals(List.of(), ClusterSummary.of(
        List.of(new FanOut.Answer<>("a:1", status, null))).budgetSpent());
  }

  private static FanOut.Answer<JsonNode> withDirectories(String dataNode, String directories) {
    ObjectNode status = JSON.createObjectNode().put("condition", "filling").put("normal", true);
    status.putObject("configuration").put(PREFIX + "directories", directories);
    return new FanOut.Answer<>(dataNode, status, null);
  }

  @Test
  public void different_eachHasDirectoriesOfItsOwn_isNoDifference() {
    List<FanOut.Answer<JsonNode>> answers = new ArrayList<>(List.of(
        withDirectories("a:1", "/a"), withDirectories("b:1", "/b"), withDirectories("c:1", "/c")));
    assertEquals(List.of(), ClusterSummary.of(answers).different());
    for (String dataNode : List.of("d:1", "e:1", "f:1")) {
      answers.add(withDirectories(dataNode, "/c"));
    }
    assertEquals("of most", List.of(
        new ClusterSummary.Difference(PREFIX + "directories", "/a", "/c", List.of("a:1")),
        new ClusterSummary.Difference(PREFIX + "directories", "/b", "/c", List.of("b:1"))),
        ClusterSummary.of(answers).different());
  }

  @Test
  public void different_oneIsInADryRun_isAmongThem() {
    ObjectNode dry = JSON.createObjectNode().put("condition", "dry-run").put("dryRun", true);
    dry.putObject("configuration").put(PREFIX + "dry-run", "true");
    List<FanOut.Answer<JsonNode>> answers = new ArrayList<>();
    for (String dataNode : List.of("a:1", "b:1")) {
      answers.add(new FanOut.Answer<>(
          dataNode, JSON.createObjectNode().put("condition", "filling"), null));
    }
    answers.add(new FanOut.Answer<>("c:1", dry, null));
    assertTrue(String.join("\n", ClusterSummary.of(answers).text()).endsWith(
        PREFIX + "dry-run = true, most have (not set): c:1"));
  }

  @Test
  public void summary_json_hasTheSame() throws Exception {
    CommandResult result = summary("--json");
    assertEquals(1, result.exitCode());
    assertEquals(List.of(), result.err());
    JsonNode cluster = result.json();
    assertEquals(210, cluster.get("asked").asInt());
    assertEquals(196, cluster.get("conditions").get("filling").asInt());
    assertEquals(399, cluster.get("totals").get("ssds").get("NORMAL").asInt());
    assertEquals(0.1, cluster.get("offload").get("median").asDouble(), 0.001);
    assertEquals(answering(0), cluster.get("lowestOffload").fieldNames().next());
    assertEquals(answering(50), cluster.at("/notNormal/SSD ~1ssd~11: DOWN (not mounted)/0").asText());
    assertEquals(2, cluster.at("/budgetSpent").size());
    assertEquals("version", cluster.get("different").get(2).get("key").asText());
    assertEquals(HANGING, cluster.get("failures").get("does not answer").size());
  }
}
