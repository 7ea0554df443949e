/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.hdfslocalcache.plugin.metrics.Event;
import org.junit.Test;

/** The rate limiter is asked about each page that is missing, before the replica is touched. */
public class TestPageFillerAdmission extends PageFillerFixture {

  private final List<Integer> asked = new ArrayList<>();
  private Set<Integer> admitted = Set.of();
  private long written;

  @Override
  public boolean admits(FillRequest request, int page) {
    assertEquals(replica.snapshot(), request.snapshot());
    asked.add(page);
    return admitted.contains(page);
  }

  @Override
  public void writing(long bytes) {
    written += bytes;
  }

  @Test
  public void noPageAdmitted_replicaIsNotOpened() throws IOException {
    fillAll();
    assertEquals(List.of(0, 1, 2, 3, 4), asked);
    assertEquals(0, replica.opens());
    assertNothingCached();
  }

  @Test
  public void somePagesAdmitted_onlyTheyAreReadAndWritten() throws IOException {
    admitted = Set.of(1, 4);
    fillAll();
    assertCached(1, 4);
    assertEquals(PAGE + 700, replica.dataRead());
    assertEquals(metrics.total(Event.FILL_WRITTEN_BYTES), written);
  }

  @Test
  public void pagesThatAreThere_areNotAskedAbout() {
    admitted = Set.of(1, 2);
    fill(PAGE, 3 * PAGE);
    asked.clear();
    fillAll();
    assertEquals(List.of(0, 3, 4), asked);
  }

  @Test
  public void rangeWithinThePages_isAskedAbout_noOther() {
    fill(PAGE + 5, 2 * PAGE + 1);
    assertEquals(List.of(1, 2), asked);
  }

  @Test
  public void orderedByAnOperator_nobodyIsAsked_andWritesAreCounted() throws IOException {
    filler.fill(FillRequest.ordered(replica.snapshot()));
    assertCached(0, 1, 2, 3, 4);
    assertEquals(List.of(), asked);
    assertEquals(metrics.total(Event.FILL_WRITTEN_BYTES), written);
  }
}
