/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import org.junit.Test;

public class TestPageEvictor {

  private static final int BYTES = 8192;
  private final PageEvictor evictor = new PageEvictor();

  private static StoredPage page(String block, PageEvictor.Owner owner) {
    return new StoredPage(block, 0, owner, 1, true);
  }

  @Test
  public void add_largestPage_isCountedAndALargerOneIsRefused() {
    StoredPage page = page("a", PageEvictor.Owner.NOBODY);
    StoredPage larger = page("b", PageEvictor.Owner.NOBODY);
    evictor.addOlder(page, StoredPage.MOST_BYTES);
    assertEquals(StoredPage.MOST_BYTES, page.bytes());
    assertThrows(IllegalArgumentException.class,
        () -> evictor.addOlder(larger, StoredPage.MOST_BYTES + BYTES));
    assertFalse(larger.isThere());
    assertThrows(IllegalArgumentException.class, () -> evictor.grow(page, 2, BYTES));
    assertEquals(StoredPage.MOST_BYTES, page.bytes());
    assertEquals(1, page.parts());
  }

  @Test
  public void hasLeftUnread_isSaidOfPagesThatNoReadUsed_andWhereThatIsKnown() {
    StoredPage read = page("read", PageEvictor.Owner.NOBODY);
    StoredPage unread = page("unread", PageEvictor.Owner.NOBODY);
    StoredPage restored = page("restored", PageEvictor.Owner.NOBODY);
    evictor.add(read, BYTES);
    evictor.add(unread, BYTES);
    evictor.addOlder(restored, BYTES);
    read.use();
    List.of(read, unread, restored).forEach(evictor::updateOnDelete);
    assertFalse(read.hasLeftUnread());
    assertTrue(unread.hasLeftUnread());
    assertFalse("it may have been read before the restart", restored.hasLeftUnread());
  }

  @Test
  public void evict_restoredPages_leaveFirstAndOldestFirst() {
    StoredPage[] pages = new StoredPage[5];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = page("block" + i, PageEvictor.Owner.NOBODY);
    }
    PageEvictor evictor = new PageEvictor();
    evictor.add(pages[0], BYTES);
    evictor.addOlder(pages[1], BYTES);
    evictor.addOlder(pages[2], BYTES);
    evictor.addOlder(pages[3], BYTES);
    evictor.addOlder(pages[4], BYTES);
    // A page that was used or refilled is newer than the restored ones.
    evictor.addOlder(pages[0], BYTES);
    pages[4].use();
    evictor.updateOnDelete(pages[2]);
    assertEquals(List.of("block4", "block0", "block1", "block3"), evictor.blocksNewestFirst());
    for (int expected : new int[] {3, 1, 0, 4}) {
      assertEquals(pages[expected], evictor.evict());
      evictor.updateOnDelete(pages[expected]);
    }
    assertNull(evictor.evict());
    assertEquals(List.of(), evictor.blocksNewestFirst());
  }

  /** Counts what is on its account. */
  private static final class Owner implements PageEvictor.Owner {
    private final boolean pinned;
    private long bytes;

    Owner(boolean pinned) {
      this.pinned = pinned;
    }

    @Override
    public boolean isPinned() {
      return pinned;
    }

    @Override
    public void added(long more) {
      bytes += more;
    }

    @Override
    public void removed(long less) {
      bytes -= less;
    }
  }

  private StoredPage add(String block, PageEvictor.Owner owner) {
    StoredPage page = page(block, owner);
    evictor.add(page, BYTES);
    return page;
  }

  private String evicted() {
    PageId victim = evictor.evict();
    evictor.updateOnDelete(victim);
    return victim.getFileId();
  }

  @Test
  public void evict_pagesOfSeveralOwners_oldestOfAllLeavesPinnedLast() {
    Owner pinned = new Owner(true);
    Owner other = new Owner(false);
    add("pinned", pinned);
    add("a", other);
    add("b", PageEvictor.Owner.NOBODY);
    StoredPage c = add("c", other);
    add("d", PageEvictor.Owner.NOBODY);
    assertEquals(2 * BYTES, other.bytes);
    assertEquals(new PageId("a", 0), evictor.oldestOf(other::equals));
    assertEquals(List.of("d", "c", "b", "a", "pinned"), evictor.blocksNewestFirst());
    assertEquals(List.of("a", "b"), List.of(evicted(), evicted()));
    c.use();
    assertEquals(List.of("d", "c", "pinned"), List.of(evicted(), evicted(), evicted()));
    assertEquals(0, pinned.bytes + other.bytes);
    assertNull(evictor.oldestOf(other::equals));
  }

  @Test
  public void evict_pageOfAFirstMiss_leavesBeforeOlderOnesThatWereMissedBefore() {
    Owner other = new Owner(false);
    for (int i = 0; i < 8; i++) {
      add("missed" + i, other);
    }
    evictor.add(new StoredPage("first0", 0, PageEvictor.Owner.NOBODY, 1, false), BYTES);
    evictor.add(new StoredPage("first1", 0, PageEvictor.Owner.NOBODY, 1, false), BYTES);
    add("last", other);
    assertEquals(List.of("first0", "missed0"), List.of(evicted(), evicted()));
  }

  @Test
  public void assign_pagesOfAnotherOwnerNow_keepTheirOrder() {
    Owner before = new Owner(false);
    Owner now = new Owner(true);
    for (String block : List.of("a", "b", "c", "d", "e")) {
      add(block, before);
    }
    evictor.addOlder(page("f", PageEvictor.Owner.NOBODY), BYTES);
    evictor.assign(evictor.pages(), (page, owner) -> "bdf".contains(page.getFileId()) ? now : owner);
    assertEquals(2 * BYTES, before.bytes - now.bytes + 2 * BYTES);
    assertEquals(List.of("a", "c", "e", "f", "b", "d"), List.of(
        evicted(), evicted(), evicted(), evicted(), evicted(), evicted()));
    assertEquals(0, before.bytes + now.bytes);
  }
}
