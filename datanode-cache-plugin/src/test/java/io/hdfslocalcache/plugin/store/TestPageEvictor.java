/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.util.List;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import org.junit.Test;

public class TestPageEvictor {

  private static final int BYTES = 8192;
  private static final PageId A = new PageId("a", 0);
  private static final PageId B = new PageId("b", 0);

  private final PageEvictor evictor = new PageEvictor();

  @Test
  public void evict_empty_findsNone() {
    assertNull(evictor.evict());
  }

  @Test
  public void evict_leastRecentlyUsed_isNamedUntilItIsDeleted() {
    evictor.add(A, BYTES);
    evictor.add(B, BYTES);
    evictor.updateOnGet(A);
    assertEquals(B, evictor.evict());
    assertEquals(B, evictor.evict());
    evictor.updateOnDelete(B);
    assertEquals(A, evictor.evict());
  }

  @Test
  public void updateOnGet_pageThatHasLeft_doesNotComeBack() {
    evictor.add(A, BYTES);
    evictor.updateOnDelete(A);
    evictor.updateOnGet(A);
    assertNull(evictor.evict());
  }

  @Test
  public void evict_restoredPages_leaveFirstAndOldestFirst() {
    PageId[] pages = new PageId[5];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = new PageId("block" + i, 0);
    }
    PageEvictor evictor = new PageEvictor();
    evictor.add(pages[0], BYTES);
    evictor.addOlder(pages[1], BYTES);
    evictor.addOlder(pages[2], BYTES);
    evictor.addOlder(pages[3], BYTES);
    evictor.addOlder(pages[4], BYTES);
    // A page that was used, or filled anew, is older than none.
    evictor.addOlder(pages[0], BYTES);
    evictor.updateOnGet(pages[4]);
    evictor.updateOnDelete(pages[2]);
    assertEquals(List.of("block4", "block0", "block1", "block3"), evictor.blocksNewestFirst());
    for (int expected : new int[] {3, 1, 0, 4}) {
      assertEquals(pages[expected], evictor.evict());
      evictor.updateOnDelete(pages[expected]);
    }
    assertNull(evictor.evict());
    assertEquals(List.of(), evictor.blocksNewestFirst());
  }
}
