/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.xml.sax.InputSource;

/** Fleets by command, without YARN. */
public class TestFleetCommands {

  private static final int DATANODES = 9;

  @Rule
  public TemporaryFolder folder = new TemporaryFolder();

  private Path path(String name) {
    return folder.getRoot().toPath().resolve(name);
  }

  private Path trace() {
    Path trace = path("trace.csv");
    CommandRun run = CommandRun.of("generate", "--host", 4, "--scale", 0.005, "-o", trace);
    assertEquals(run.err(), 0, run.exitCode());
    return trace;
  }

  private static void assertWrongUsage(String message, Object... words) {
    CommandRun run = CommandRun.of(words);
    assertEquals(run.err(), 2, run.exitCode());
    assertTrue(run.err(), run.err().contains(message));
  }

  private static void assertIsReport(String html, int charts) throws Exception {
    assertTrue(html.endsWith("</html>\n"));
    assertFalse(html.matches("(?s).*(src=|href=|url\\(|@import|<script).*"));
    assertFalse(html.contains("NaN"));
    int found = 0;
    for (int at = html.indexOf("<svg"); at >= 0; at = html.indexOf("<svg", at + 1)) {
      String svg = html.substring(at, html.indexOf("</svg>", at) + "</svg>".length());
      DocumentBuilderFactory.newInstance().newDocumentBuilder()
          .parse(new InputSource(new StringReader(svg)));
      found++;
    }
    assertEquals(charts, found);
  }

  @Test
  public void simulate_fleet_tellsOfEachDataNodeWithoutAndWithAffinity() throws Exception {
    Path html = path("fleet.html");
    CommandRun run = CommandRun.of("simulate", "--json", "--fleet", DATANODES, "--lose", "dn2",
        "--capacity", "1g", "--html", html, trace());
    assertEquals(run.err(), 0, run.exitCode());
    JsonNode results = new ObjectMapper().readTree(run.out());
    assertEquals(2, results.size());
    assertEquals("shuffled", results.get(0).get("order").asText());
    assertEquals("affinity 2", results.get(1).get("order").asText());
    for (JsonNode result : results) {
      assertEquals(DATANODES, result.get("dataNodes").size());
      long reads = 0;
      for (JsonNode dataNode : result.get("dataNodes")) {
        reads += dataNode.get("reads").asLong();
      }
      assertEquals(result.get("total").get("reads").asLong(), reads);
      assertTrue(result.get("copies").asDouble() >= 1);
    }
    String page = Files.readString(html);
    assertIsReport(page, 4);
    assertTrue("a legend of what differs", page.contains(">affinity 2</text>"));
  }

  @Test
  public void simulate_fleetAsText_hasALineForEachDataNode() {
    CommandRun run = CommandRun.of(
        "simulate", "--fleet", DATANODES, "--affinity", 1, "--capacity", "1g", trace());
    assertEquals(run.err(), 0, run.exitCode());
    assertEquals(DATANODES,
        run.out().lines().filter(line -> line.matches("dn[1-9] .*")).count());
  }

  @Test
  public void simulate_columnDatanodes_isTheFleet() throws Exception {
    Path trace = path("named.csv");
    Files.writeString(trace, "time_ms,block_id,offset,length,reader,datanodes\n"
        + "0,1,0,5000,r1,a;b;c\n1000,2,0,5000,r2,b;c;d\n2000,1,0,5000,r3,a;b;c\n");
    Path copy = path("copy.csv");
    assertEquals(0, CommandRun.of("trace", "convert", trace, copy).exitCode());
    assertTrue(Files.readString(copy), Files.readString(copy).contains(",b;c;d\n"));
    CommandRun run = CommandRun.of("simulate", "--json", "--fleet", 1, "--affinity", 1,
        "--limiter", "admit-all", "--capacity", "1g", copy);
    assertEquals(run.err(), 0, run.exitCode());
    JsonNode result = new ObjectMapper().readTree(run.out()).get(0);
    assertEquals(3, result.get("total").get("reads").asInt());
    assertEquals("the second read of block 1 is a hit", 1 / 3.0,
        result.get("total").get("offload").asDouble(), 1e-9);
  }

  @Test
  public void recommend_directoryOfTraces_isOneReportOfAll() throws Exception {
    Path traces = FleetTraces.make(path("traces"), 6);
    Files.writeString(traces.resolve("dn-damaged.csv"), "time_ms,block_id\n");
    Files.writeString(traces.resolve("_SUCCESS"), "");
    Path out = path("out");
    CommandRun run = CommandRun.of("recommend", "--traces", traces, "-o", out, "--ssd", "16g",
        "--endurance", "1dwpd");
    assertEquals(run.err(), 0, run.exitCode());
    assertTrue(run.out(), run.out().contains("stands out: " + FleetTraces.ODD + ": offload"));
    String report = Files.readString(out.resolve("report.html"));
    assertTrue(run.out(), run.out().contains("not played: dn-damaged.csv: "));
    assertTrue(report, report.contains("not played: dn-damaged.csv: "));
    JsonNode found = new ObjectMapper().readTree(out.resolve("report.json").toFile());
    assertEquals("page sizes and sizes", 4 * 6, found.get("results").size());
    assertEquals(7, found.get("results").get(0).get("dataNodes").size());
    assertIsReport(report, 4);
    assertTrue(Files.readString(out.resolve("hdfs-site.xml"))
        .contains("dfs.datanode.local.cache.capacity"));
    assertFalse(Files.exists(out.resolve("job")));
  }

  @Test
  public void simulate_directoryOfTraces_hasEverySettingAndTheBounds() throws Exception {
    Path traces = FleetTraces.make(path("traces"), 2);
    Path rotated = Files.createDirectory(traces.resolve("dn-rotated"));
    Files.move(traces.resolve("dn000.csv.gz"), rotated.resolve("1.csv.gz"));
    Path out = path("out");
    CommandRun run = CommandRun.of("simulate", "--traces", traces, "-o", out, "--capacity",
        "1g,2g");
    assertEquals(run.err(), 0, run.exitCode());
    JsonNode found = new ObjectMapper().readTree(out.resolve("report.json").toFile());
    assertEquals(3 * 2, found.get("results").size());
    assertEquals("[\"dn-odd.csv.gz\",\"dn-rotated\",\"dn001.csv.gz\"]",
        "" + new ObjectMapper().valueToTree(
            found.get("results").get(0).get("dataNodes").findValuesAsText("name")));
  }

  @Test
  public void noTraces_isAnError_andLeavesNothing() throws Exception {
    Files.createDirectory(path("empty"));
    CommandRun run = CommandRun.of("simulate", "--traces", path("empty"), "-o", path("out"));
    assertEquals(1, run.exitCode());
    assertTrue(run.err(), run.err().contains("no traces"));
    assertEquals(1, folder.getRoot().list().length);
  }

  @Test
  public void wrongOptions_exit2() {
    assertWrongUsage("either a trace or --traces", "simulate");
    assertWrongUsage("either a trace or --traces", "simulate", "--traces", "x", "y");
    assertWrongUsage("--out", "simulate", "--traces", "x");
    assertWrongUsage("--out", "simulate", "-o", "out", "x");
    assertWrongUsage("--fleet", "simulate", "--fleet", 0, "x");
    assertWrongUsage("--affinity", "simulate", "--fleet", 3, "--affinity", 4, "x");
    assertWrongUsage("only with --fleet", "simulate", "--lose", "dn1", "x");
    assertWrongUsage("--lose", "simulate", "--fleet", 3, "--lose", "dn9", trace());
    assertWrongUsage("--striped", "simulate", "--fleet", 3, "--striped", "RS-6-3-1024k", trace());
  }
}
