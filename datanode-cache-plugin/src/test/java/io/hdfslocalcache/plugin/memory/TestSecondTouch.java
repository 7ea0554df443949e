/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.HashMap;
import java.util.Map;

import io.hdfslocalcache.plugin.index.CachedPage;
import io.hdfslocalcache.plugin.index.TestingPage;
import org.junit.Test;

public class TestSecondTouch {

  private static final int PAGE = 1 << 20;
  private static final int SMALL = 64 << 10;
  private static final int REMEMBERED = 16;

  private final Map<Integer, CachedPage> pages = new HashMap<>();
  private final SecondTouch touches = new SecondTouch(REMEMBERED);

  private CachedPage page(int number) {
    return pages.computeIfAbsent(number, any -> new TestingPage(any, 1));
  }

  private boolean read(int page, int bytes) {
    return touches.isWorthMoving(page(page), bytes, PAGE);
  }

  @Test
  public void wholePage_secondRead_isWorthIt() {
    assertFalse(read(0, PAGE));
    assertTrue(read(0, PAGE));
    assertFalse("asked once; then it starts over", read(0, PAGE));
  }

  @Test
  public void smallRanges_whenTheyHaveCostAsMuchAsThePage_areWorthIt() {
    int reads = 1;
    while (!read(0, SMALL)) {
      reads++;
    }
    // Each costs its bytes, and as much again in overhead.
    assertEquals(PAGE / (2 * SMALL) + 1, reads);
  }

  @Test
  public void smallPage_secondRead_isWorthIt() {
    assertFalse(touches.isWorthMoving(page(0), 100, 4096));
    assertTrue(touches.isWorthMoving(page(0), 100, 4096));
  }

  @Test
  public void scan_largerThanWhatIsRemembered_isNeverWorthIt() {
    for (int round = 0; round < 3; round++) {
      for (int page = 0; page <= REMEMBERED; page++) {
        assertFalse(read(page, PAGE));
      }
    }
  }

  @Test
  public void pageAmongAScan_readInBetween_isRemembered() {
    assertFalse(read(1000, SMALL));
    for (int page = 0; page < 100; page++) {
      assertFalse(read(page, PAGE));
      if (page == 5) {
        assertFalse(read(1000, PAGE));
      }
      if (page == 15) {
        assertTrue(read(1000, SMALL));
      }
    }
  }

  @Test
  public void clear_always_forgetsAll() {
    read(0, PAGE);
    touches.clear();
    assertFalse(read(0, PAGE));
  }
}
