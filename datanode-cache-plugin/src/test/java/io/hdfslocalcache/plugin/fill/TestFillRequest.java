/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import org.junit.Test;

public class TestFillRequest {

  private static final int PAGE = 4096;
  private static final ReplicaSnapshot SNAPSHOT =
      new ReplicaSnapshot(new BlockKey("BP-1", 1), 1001, 10 * PAGE + 5);

  private static FillRequest of(long from, long to) {
    return FillRequest.of(SNAPSHOT, from, to, PAGE);
  }

  @Test
  public void of_rangesWithinTheSamePages_areEqual() {
    assertEquals(of(PAGE, 2 * PAGE), of(PAGE + 1, PAGE + 2));
    assertEquals(of(PAGE, 3 * PAGE), of(2 * PAGE - 1, 2 * PAGE + 1));
  }

  @Test
  public void of_endOfTheBlock_endsThere() {
    assertEquals(SNAPSHOT.length(), of(10 * PAGE + 1, 10 * PAGE + 2).to());
    assertEquals(10 * PAGE, of(10 * PAGE + 1, 10 * PAGE + 2).from());
  }

  @Test
  public void pages_always_countsThoseTouched() {
    assertEquals(1, of(0, 1).pages(PAGE));
    assertEquals(1, of(0, PAGE).pages(PAGE));
    assertEquals(2, of(PAGE - 1, PAGE + 1).pages(PAGE));
    assertEquals(11, of(0, SNAPSHOT.length()).pages(PAGE));
  }
}
