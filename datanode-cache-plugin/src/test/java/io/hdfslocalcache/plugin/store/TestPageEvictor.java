/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import org.junit.Test;

public class TestPageEvictor {

  private static final PageId A = new PageId("a", 0);
  private static final PageId B = new PageId("b", 0);

  private final PageEvictor evictor = new PageEvictor();

  @Test
  public void evict_empty_findsNone() {
    assertNull(evictor.evict());
  }

  @Test
  public void evict_leastRecentlyUsed_isNamedUntilItIsDeleted() {
    evictor.updateOnPut(A);
    evictor.updateOnPut(B);
    evictor.updateOnGet(A);
    assertEquals(B, evictor.evict());
    assertEquals(B, evictor.evict());
    evictor.updateOnDelete(B);
    assertEquals(A, evictor.evict());
  }

  @Test
  public void updateOnGet_pageThatHasLeft_doesNotComeBack() {
    evictor.updateOnPut(A);
    evictor.updateOnDelete(A);
    evictor.updateOnGet(A);
    assertNull(evictor.evict());
  }
}
