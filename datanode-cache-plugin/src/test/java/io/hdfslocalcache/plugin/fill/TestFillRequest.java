/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.junit.Test;

/** A request is for the pages and parts that it touches, and for no other. */
public class TestFillRequest {

  private static final int PAGE = 512 << 10;
  private static final int PART = PAGE / 4;
  private static final int LENGTH = 3 * PAGE + 700;

  private final PageLayout layout = PageLayout.usual(PAGE, LENGTH);
  private final ReplicaSnapshot snapshot =
      new ReplicaSnapshot(new BlockKey("BP-1", 1), 1001, LENGTH);

  private void assertTouches(int first, int end, FillRequest request) {
    assertEquals(first, request.firstPage(layout));
    assertEquals(end, request.endPage(layout));
    assertEquals(end - first, request.pages(PAGE));
    for (int page = 0; page < layout.pages(); page++) {
      assertEquals("page " + page, page >= first && page < end,
          request.parts(layout, page) != 0);
    }
  }

  @Test
  public void order_wholeBlock_touchesAllOfIt() {
    FillRequest request = FillRequest.order(null, snapshot, null);
    assertTouches(0, 4, request);
    assertEquals(0b1111, request.parts(layout, 2));
    assertEquals(0b1, request.parts(layout, 3));
  }

  @Test
  public void missed_someBytes_touchesTheirPartsOnly() {
    FillRequest request = FillRequest.missed(null, snapshot, null, PAGE + PART - 1, 2 * PAGE + 1);
    assertTouches(1, 3, request);
    assertEquals(0b1111, request.parts(layout, 1));
    assertEquals(0b1, request.parts(layout, 2));
    assertTouches(1, 2, FillRequest.missed(null, snapshot, null, PAGE, 2 * PAGE));
  }

  @Test
  public void missed_noBytes_touchesNothing() {
    FillRequest request = FillRequest.missed(null, snapshot, null, PAGE, PAGE);
    assertTrue(request.endPage(layout) <= request.firstPage(layout));
    assertEquals(0, request.pages(PAGE));
    assertEquals(0, request.parts(layout, 1));
  }
}
