/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.bench.e2e.report.Results.Row;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestSaturatedReport {

  private static final String PATH = "saturated/zipf-64k-32";

  @Rule
  public final TemporaryFolder directory = new TemporaryFolder();

  private Results results;

  @Before
  public void setUp() throws IOException {
    results = new Results(directory.getRoot().toPath());
  }

  private void add(String name, double stock, double own) throws IOException {
    results.add(Row.of(PATH + "/" + name, "stock", 1).set(Figure.READS, stock));
    results.add(Row.of(PATH + "/" + name, "local cache", 1).set(Figure.READS, own)
        .set(Figure.PAGES_FILLED, 303).set(Figure.HDD_READS_PER_PAGE, 49.5));
  }

  private Map<String, Boolean> reached() {
    Map<String, Boolean> reached = new LinkedHashMap<>();
    Comparison.all(results).forEach(line ->
        reached.put(line.path().replace(PATH + "/", ""), line.isReached()));
    return reached;
  }

  @Test
  public void goals_ofEachTenSeconds_ofAll_andOfTheEnd() throws IOException {
    add("all-100s", 100, 181);
    add("from-60s", 100, 249);
    add("0-10s", 100, 96);
    add("90-100s", 100, 94);

    assertEquals(Map.of("all-100s", true, "from-60s", false, "0-10s", true, "90-100s", false),
        reached());
  }

  @Test
  public void shortRun_isNotJudgedAsAWhole() throws IOException {
    add("all-20s", 100, 90);
    add("10-20s", 100, 96);

    assertEquals(Map.of("10-20s", true), reached());
  }

  @Test
  public void report_hasTableChartAndSeconds() throws IOException {
    add("all-100s", 100, 181);
    results.add(new Results.Timeline(PATH, "stock", 1, List.of(50L, 50L)));
    results.add(new Results.Timeline(PATH, "local cache", 1, List.of(60L, 121L)));
    Path out = directory.getRoot().toPath();

    String tables = Report.write(results, new Environment("try", Map.of()), out);

    assertTrue(tables, tables.contains("| HDD reads/page filled |"));
    assertTrue(tables, tables.contains(
        "| " + PATH + "/all-100s | local cache | 181 |  |  |  |  |  |  | 303 |  |  | 49.5 |"));
    assertTrue(tables, tables.contains("| 1.810 |"));
    assertTrue(Files.readString(out.resolve("saturated-zipf-64k-32.html")).contains("local cache"));
    assertEquals(121, new ObjectMapper().readTree(out.resolve("measurements.json").toFile())
        .at("/timelines/1/reads/1").asLong());
  }
}
