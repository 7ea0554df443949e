/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

import org.junit.Test;

public class TestSliceOrder {

  private static final List<String> ALL = List.of("stock", "stock again", "off", "always");

  private static List<List<String>> orders(long seed, int number) {
    SliceOrder order = new SliceOrder(seed);
    List<List<String>> orders = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      orders.add(order.next(ALL));
    }
    return orders;
  }

  @Test
  public void eachTurn_hasEveryDataNodeOnce() {
    for (List<String> order : orders(1, 20)) {
      assertEquals(ALL.size(), order.size());
      assertEquals(new HashSet<>(ALL), new HashSet<>(order));
    }
  }

  @Test
  public void nobody_isFirstMoreOftenThanOthers() {
    Map<String, Integer> first = new HashMap<>();
    orders(2, 400).forEach(order -> first.merge(order.get(0), 1, Integer::sum));

    first.forEach((name, times) -> assertTrue(name + " " + times, times > 60 && times < 140));
    assertEquals(ALL.size(), first.size());
  }

  @Test
  public void sameSeed_sameOrders_anotherSeed_others() {
    assertEquals(orders(3, 10), orders(3, 10));
    assertTrue(!orders(3, 10).equals(orders(4, 10)));
  }
}
