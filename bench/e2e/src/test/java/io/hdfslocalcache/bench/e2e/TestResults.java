/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.bench.e2e.Results.Verdict;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestResults {

  private static final double EXACT = 1e-9;

  @Rule
  public final TemporaryFolder directory = new TemporaryFolder();

  private final Results results = new Results(Map.of("commit", "abc"));

  private void add(String path, String dataNode, String figure, double... rounds) {
    for (int i = 0; i < rounds.length; i++) {
      results.add(path, dataNode, i + 1, Map.of(figure, rounds[i]));
    }
  }

  private Verdict only() {
    assertEquals("stock is not judged", 1, results.verdicts().size());
    return results.verdicts().get(0);
  }

  @Test
  public void ratio_isTakenWithinRounds() {
    add("hit/seq-1", "stock", "MB/s", 100, 200, 400);
    add("hit/seq-1", "in memory", "MB/s", 99, 194, 200);

    // The ratio of the medians is also 194 / 200, but not the least and the most.
    assertEquals(0.97, only().compared().median(), EXACT);
    assertEquals(0.5, only().compared().min(), EXACT);
    assertEquals(0.99, only().compared().max(), EXACT);
    assertTrue(only().reached());
    assertEquals("MB/s at least 0.97 x stock", only().goal());
  }

  @Test
  public void refusedRatios_areInNoResult() throws Exception {
    add("hit/seq-1", "stock", "MB/s", 100);
    add("hit/seq-1", "in memory", "MB/s", 99);
    results.refuseRatios("a CPU was the bottleneck");

    assertEquals("no goal is judged", 0, results.verdicts().size());
    Path json = directory.newFile().toPath();
    results.write(json, directory.newFile().toPath());
    String text = Files.readString(json);
    assertTrue(text, text.contains("No ratios: a CPU was the bottleneck"));
    assertTrue(text, text.contains("measured"));
    assertFalse(text, text.contains("againstStock"));
  }

  @Test
  public void roundWithoutStock_isLeftOut() {
    add("hit/seq-1", "stock", "MB/s", 100);
    add("hit/seq-1", "in memory", "MB/s", 90, 300);

    assertEquals(0.9, only().compared().median(), EXACT);
  }

  @Test
  public void nothingToCompareWith_isNotReached() {
    add("hit/seq-1", "in memory", "MB/s", 100);

    assertNull(only().compared());
    assertFalse(only().reached());
  }

  @Test
  public void figureAlone() {
    add("hdd/cold-hits", "stock", "HDD reads", 1000);
    add("hdd/cold-hits", "pmem cache", "HDD reads", 50);
    add("hdd/cold-hits", "local cache", "HDD reads", 0);

    assertTrue("what Hadoop itself can do is shown, not judged", only().reached());
  }

  @Test
  public void bypass_noFartherOffThanStockFromItself_isReached() {
    add("bypass/pread-4k-1", "stock", "p50 us", 100, 100, 100);
    add("bypass/pread-4k-1", "stock again", "p50 us", 98, 101, 104);
    add("bypass/pread-4k-1", "absent", "p50 us", 103, 103, 103);

    assertTrue(only().reached());
  }

  @Test
  public void bypass_fartherOffThanStockFromItself_isNotReached() {
    add("bypass/pread-4k-1", "stock", "p50 us", 100, 100);
    add("bypass/pread-4k-1", "stock again", "p50 us", 98, 102);
    add("bypass/pread-4k-1", "absent", "p50 us", 103, 103);

    assertFalse(only().reached());
  }

  @Test
  public void before_isComparedWith_andNotJudged() {
    add("ssd/seq-4", "stock", "CPU-s/GB", 1, 1, 1);
    add("ssd/seq-4", "from SSD", "CPU-s/GB", 0.5, 0.9, 0.9);
    add("ssd/seq-4", "from SSD before", "CPU-s/GB", 0.4, 0.9, 0.8);

    assertEquals("CPU-s/GB at most 1.0 x before", only().goal());
    assertEquals("from SSD", only().dataNode());
    assertEquals(1.125, only().compared().median(), EXACT);
    assertFalse(only().reached());
  }

  @Test
  public void before_noFartherOffThanStockFromItself_isReached() {
    add("ssd/seq-4", "stock", "reads/s", 100, 100);
    add("ssd/seq-4", "stock again", "reads/s", 96, 102);
    add("ssd/seq-4", "from SSD", "reads/s", 97, 97);
    add("ssd/seq-4", "from SSD before", "reads/s", 100, 100);

    assertTrue(only().reached());
  }

  @Test
  public void noise_excusesNoGoalOfHits() {
    add("hit/pread-4k-1", "stock", "p50 us", 100, 100);
    add("hit/pread-4k-1", "stock again", "p50 us", 80, 120);
    add("hit/pread-4k-1", "in memory", "p50 us", 103, 103);

    assertFalse(only().reached());
  }

  @Test
  public void write_hasMediansAndRanges() throws Exception {
    add("hit/seq-1", "stock", "MB/s", 100, 200);
    add("hit/seq-1", "in memory", "MB/s", 110, 220);
    results.add("saturated/zipf-64k-32", "stock", 1, new long[] {5, 7});
    results.note("mind this");
    File file = directory.newFile();

    File page = directory.newFile();

    results.write(file.toPath(), page.toPath());

    JsonNode json = new ObjectMapper().readTree(file);
    JsonNode own = json.at("/measured/1/figures").path("MB/s");
    assertEquals("[165,110,220]", own.path("measured").toString());
    assertEquals(1.1, own.at("/againstStock/0").asDouble(), EXACT);
    assertEquals("in memory", json.at("/goals/0/dataNode").asText());
    assertEquals(7, json.at("/timelines/0/readsBySecond/1").asInt());
    assertEquals("mind this", json.at("/notes/0").asText());
    assertEquals("abc", json.at("/environment/0/commit").asText());
    String text = results.text();
    assertTrue(text, text.contains("MB/s at least 0.97 x stock  1.100 (1.100 to 1.100)  yes"));
    assertTrue(text, text.contains("mind this"));
    assertTrue(Files.readString(page.toPath()).contains("Reads a second from a saturated HDD"));
  }
}
