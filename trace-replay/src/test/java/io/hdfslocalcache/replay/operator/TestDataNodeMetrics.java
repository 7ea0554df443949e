/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.operator;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.util.Map;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.replay.operator.DataNodeMetrics.Counters;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** How a DataNode's page is parsed, and when its figures are trusted. */
public class TestDataNodeMetrics {

  private static final Map<String, Object> BUSY =
      FakeDataNode.figures(Map.of("ReadsInProgress", 2));

  private FakeDataNode dataNode;
  private DataNodeMetrics metrics;

  @Before
  public void start() throws IOException {
    dataNode = new FakeDataNode();
    metrics = new DataNodeMetrics(dataNode.web(), 0);
  }

  @After
  public void stop() {
    dataNode.close();
  }

  @Test
  public void now_countersAreTaken_andTextIsLeftOut() throws IOException {
    dataNode.shows(FakeDataNode.figures(Map.of("ReadsHit", 4_000_000_000L, "On", 1,
        "name", "Hadoop:service=DataNode", "HitRatio", 0.5)));
    Counters counters = metrics.now();
    assertEquals("more than an int", 4_000_000_000L, counters.of(ReadOutcome.HIT));
    assertTrue(counters.isOn());
    assertFalse(counters.values().containsKey("name"));
    assertFalse(counters.values().containsKey("HitRatio"));
  }

  @Test
  public void now_noLocalCache_saysWhere() {
    IOException e = assertThrows(IOException.class, metrics::now);
    assertEquals("no metrics of a local cache at " + dataNode.web(), e.getMessage());
  }

  @Test
  public void now_errorOfTheDataNode_isAnError() {
    dataNode.isBroken();
    IOException e = assertThrows(IOException.class, metrics::now);
    assertTrue(e.getMessage(), e.getMessage().startsWith(dataNode.web() + "/jmx?qry="));
    assertTrue(e.getMessage(), e.getMessage().endsWith(" answers 500"));
  }

  @Test
  public void now_dataNodeIsGone_isAnError() {
    dataNode.close();
    assertThrows(ConnectException.class, metrics::now);
  }

  @Test
  public void settled_readsInProgress_asksUntilThereAreNone() throws IOException {
    dataNode.first(BUSY).first(BUSY).shows(FakeDataNode.figures(Map.of("ReadsHit", 7)));
    assertEquals(7, metrics.settled().of(ReadOutcome.HIT));
    assertEquals(3, dataNode.questions());
  }

  @Test
  public void settled_readsGoOn_givesUp() {
    dataNode.shows(BUSY);
    IOException e = assertThrows(IOException.class, metrics::settled);
    assertEquals("the DataNode still has client reads in progress", e.getMessage());
    assertEquals(30, dataNode.questions());
  }

  @Test
  public void missingMetric_isNamed() throws IOException {
    dataNode.shows(Map.of("ReadsHit", 1));
    Counters counters = metrics.now();
    IllegalStateException e =
        assertThrows(IllegalStateException.class, counters::readsInProgress);
    assertEquals("the DataNode does not show ReadsInProgress", e.getMessage());
  }

  @Test
  public void since_metricThatIsNew_countsFromZero() {
    Counters earlier = new Counters(Map.of("ReadsHit", 2L));
    Counters later = new Counters(Map.of("ReadsHit", 5L, "ErrorsFill", 3L));
    assertEquals(3, later.since(earlier).of(ReadOutcome.HIT));
    assertEquals("all that are called so", 3, later.since(earlier).errors());
    assertEquals("of counters that are gone nothing is said",
        Map.of("ReadsHit", -3L), earlier.since(later).values());
  }

  @Test
  public void rates_areOfDifferentWholes() {
    Counters counters = FakeDataNode.counters(Map.of("ReadsHit", 90L, "ReadsPartialHit", 4L,
        "ReadsMissAdmitted", 6L, "ReadsMissNotAdmitted", 1000L, ReadOutcome.BYPASS_OFF.metric(), 500L,
        "BytesHit", 300L, "BytesMiss", 500L, "BytesBypass", 200L));
    assertEquals("of reads of admitted blocks", 0.9, counters.reuseRate().getAsDouble(), 1e-9);
    assertEquals("of all bytes", 0.3, counters.offload().getAsDouble(), 1e-9);
    assertEquals(1600, counters.reads());
    assertEquals(500, counters.bypasses());
    assertEquals(300, counters.bytesFromSsd());
    assertEquals(700, counters.bytesFromDisk());
  }

  @Test
  public void rates_nothingRead_areEmpty() {
    Counters counters = FakeDataNode.counters(Map.of("ReadsMissNotAdmitted", 7L));
    assertTrue(counters.reuseRate().isEmpty());
    assertTrue(counters.offload().isEmpty());
  }
}
