/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import static org.junit.Assert.assertEquals;

import java.util.List;

import org.junit.Test;

public class TestReader {

  private static Reader.SecondsCount at(double... seconds) {
    Reader.SecondsCount count = new Reader.SecondsCount();
    for (double second : seconds) {
      count.add((long) (second * 1e9));
    }
    return count;
  }

  @Test
  public void counted_inTheSecondInWhichItIs() {
    assertEquals(List.of(2L, 0L, 0L, 1L), at(0, 0.999, 3).toList());
    assertEquals(List.of(), at().toList());
  }

  @Test
  public void others_areAdded_whicheverIsLonger() {
    Reader.SecondsCount count = at(0.5);
    count.add(at(0.1, 2.5));
    count.add(at(1.5));

    assertEquals(List.of(2L, 1L, 1L), count.toList());
  }
}
