/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.fleet;

import static org.junit.Assert.assertEquals;

import java.util.List;

import org.junit.Test;

/** Which DataNodes of a fleet an operator should look at. */
public class TestStandingOut {

  private static List<String> found(DataNodes dataNodes) {
    return dataNodes.result().standingOut();
  }

  @Test
  public void allAlike_noneDoes() {
    assertEquals(List.of(), found(new DataNodes().alike(9)));
  }

  @Test
  public void exactlyTheSame_noneDoes() {
    DataNodes same = new DataNodes();
    for (int i = 0; i < 5; i++) {
      same.add("dn" + i, 0.5, 100, 10);
    }
    assertEquals(List.of(), found(same));
  }

  @Test
  public void oneOrTwo_thereIsNobodyToStandOutFrom() {
    assertEquals(List.of(), found(new DataNodes().add("dn0", 0.9, 1000, 1)));
    assertEquals(List.of(),
        found(new DataNodes().add("dn0", 0.9, 1000, 1).add("dn1", 0.1, 1, 500)));
  }

  @Test
  public void lowOffload_isNamedWithTheMedian() {
    assertEquals(List.of("odd: offload 20.0 %, median 61.0 %"),
        found(new DataNodes().alike(9).add("odd", 0.2, 240, 24)));
  }

  @Test
  public void busyDataNode_isNamedWithBytesAnHour() {
    assertEquals(List.of("odd: bytes read an hour 100 GB, median 10.0 GB"),
        found(new DataNodes().alike(9).add("odd", 0.61, 2400, 24)));
  }

  @Test
  public void muchWritten_isNamedWithBytesADay() {
    assertEquals(List.of("odd: bytes written a day 72 GB, median 24 GB"),
        found(new DataNodes().alike(9).add("odd", 0.61, 241, 72)));
  }

  @Test
  public void two_areNamedBoth() {
    List<String> found =
        found(new DataNodes().alike(12).add("a", 0.1, 241, 24).add("b", 0.2, 241, 24));
    assertEquals(List.of("a: offload 10.0 %, median 61.0 %", "b: offload 20.0 %, median 61.0 %"),
        found);
  }

  /** With hardly any spread, a little would be far. */
  @Test
  public void differenceThatIsNotWorthIt_isNotTold() {
    DataNodes dataNodes = new DataNodes();
    for (int i = 0; i < 9; i++) {
      dataNodes.add("dn" + i, 0.6, 100, 10);
    }
    assertEquals("4 points of offload, 15 % of the bytes, 10 % of what is written", List.of(),
        found(dataNodes.add("odd", 0.56, 115, 11)));
  }

  @Test
  public void wideSpread_nobodyIsOdd() {
    DataNodes dataNodes = new DataNodes();
    for (int i = 0; i < 9; i++) {
      dataNodes.add("dn" + i, 0.1 + i * 0.1, 100L << i % 3, 10L << i % 3);
    }
    assertEquals(List.of(), found(dataNodes));
  }
}
