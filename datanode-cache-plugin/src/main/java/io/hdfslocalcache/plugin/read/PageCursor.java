/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.page.PageLayout;

/** The page that a reader has come to, and what it holds of it. Used by one thread. */
final class PageCursor implements Closeable {

  private static final int NONE = -1;

  private final CachedBlock block;
  private final PageLayout layout;
  private final PageSource pages;
  private final MissedParts missed;
  private final WaitBudget budget;
  private long wantedTo;
  private int page = NONE;
  /** Null: read from the replica, for as long as is said below. */
  private PageBytes bytes;
  /** Before this byte of the page's data, the replica goes on. */
  private int fromReplicaTo;

  PageCursor(CachedBlock block, PageSource pages, MissedParts missed, WaitBudget budget) {
    this.block = block;
    this.layout = block.layout();
    this.pages = pages;
    this.missed = missed;
    this.budget = budget;
  }

  /** Sets where the reader will end if nothing happens; what is beyond is not read in advance. */
  void wantedTo(long offset) {
    wantedTo = offset;
  }

  /**
   * Comes to some chunks of a page, the same page as before or a later one.
   *
   * @return the chunks, to be closed
   */
  PageRange at(int newPage, int from, int to) {
    if (page != newPage) {
      leave();
      page = newPage;
      fromReplicaTo = 0;
    } else if (bytes != null && (!pages.isOn(block) || !bytes.covers(from, to))) {
      leave();
    }
    if (bytes == null && from >= fromReplicaTo && !budget.isOverdrawn() && pages.isOn(block)) {
      bytes = get(from, to);
    }
    return new PageRange(newPage, from, to, bytes == null ? null : bytes.share());
  }

  private PageBytes get(int from, int to) {
    int wanted = (int) Math.max(
        to, Math.min(layout.dataLength(page), wantedTo - layout.start(page)));
    boolean isThere = block.has(page, from, to);
    PageBytes found = isThere ? pages.get(block, page, from, to, wanted, budget)
        : missed.get(block, page, from, to, wanted);
    if (found != null && !found.covers(from, to)) {
      found.close();
      found = null;
    }
    if (found == null) {
      // What failed is not tried again for each part of the page.
      fromReplicaTo = isThere ? layout.dataLength(page)
          : layout.partEnd(page, layout.partOf(to - 1));
    }
    return found;
  }

  /** The rest of a page is read from the replica, if this is the page. */
  void giveUp(int lost) {
    if (page == lost) {
      leave();
      fromReplicaTo = layout.dataLength(page);
    }
  }

  private void leave() {
    if (bytes != null) {
      bytes.close();
      bytes = null;
    }
  }

  /** Releases what is held. The reader may come back to a page. */
  @Override
  public void close() {
    leave();
    page = NONE;
  }
}
