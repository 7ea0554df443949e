/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceException;
import org.junit.Test;

/** Reads laid out on pages, by hand. */
public class TestPageTrace {

  private static final int KB = 1 << 10;
  private static final int PAGE = 1 << 20;
  /** What the checksums of a part take. */
  private static final int TAIL = 4 * KB;

  @Test
  public void of_readAcrossPages_hasAPlaceForEachAndEndsWhereItEnds() throws Exception {
    PageTrace pages = PageTrace.of(new Traces().size(7, 4 * PAGE)
        .read(0, 7, 1, PAGE - 10, PAGE + 30).read(5, 7, 1, 2 * PAGE, 1).build(), PAGE);
    assertEquals(2, pages.reads());
    assertEquals(3, pages.pages());
    assertEquals(4, pages.accesses());
    assertEquals(3, pages.first(1));
    assertEquals("the same page", pages.page(2), pages.page(3));
    assertEquals(0, pages.pageInBlock(pages.page(0)));
    assertEquals(2, pages.pageInBlock(pages.page(2)));
    assertEquals(PAGE - 10, pages.from(0, 0));
    assertEquals(PAGE, pages.to(0, 0));
    assertEquals(0, pages.from(0, 1));
    assertEquals(PAGE, pages.to(0, 1));
    assertEquals(20, pages.to(0, 2));
    assertEquals(5, pages.millis(1));
  }

  @Test
  public void of_sameOffsetOfOtherGeneration_isAnotherPage() throws Exception {
    PageTrace pages = PageTrace.of(
        new Traces().read(0, 7, 1, 0, 10).read(1, 7, 2, 0, 10).build(), PAGE);
    assertEquals(2, pages.pages());
    assertEquals(new Replica("BP-1", 7, 2), pages.replicaOf(pages.page(1)));
  }

  @Test
  public void of_readsOfNoBytes_areLeftOut() throws Exception {
    Trace nothing = new Traces().read(0, 7, 1, 0, 0).build();
    assertEquals("no reads in the trace",
        assertThrows(TraceException.class, () -> PageTrace.of(nothing, PAGE)).getMessage());
  }

  @Test
  public void parts_pageOfABlock_startEndAndSpace() throws Exception {
    PageTrace pages = PageTrace.of(new Traces().size(7, PAGE + 128 * KB + 5000)
        .read(0, 7, 1, 0, PAGE + 1).build(), PAGE);
    int whole = pages.page(0);
    assertEquals(132 * KB, pages.space(whole, 0b100));
    assertEquals(8 * 132 * KB, pages.space(whole, 0b1111_1111));
    assertEquals(8 * 132 * KB, pages.fullPageSpace());
    assertEquals(128 * KB, pages.start(whole, 0b110));
    assertEquals(384 * KB, pages.end(whole, 0b110));
    int last = pages.page(1);
    assertEquals(128 * KB + 5000, pages.dataBytes(last));
    assertEquals(132 * KB + 8 * KB + TAIL, pages.space(last, 0b11));
    assertEquals(PAGE + 128 * KB, pages.start(last, 0b10));
    assertEquals("the block ends there", PAGE + 128 * KB + 5000, pages.end(last, 0b10));
  }
}
