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
  private long wantedTo;
  private int page = NONE;
  /** Null: the rest of the page is read from the replica. */
  private PageBytes bytes;

  PageCursor(CachedBlock block, PageSource pages) {
    this.block = block;
    this.layout = block.layout();
    this.pages = pages;
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
      bytes = get(from, to);
    } else if (bytes != null && !pages.isOn(block)) {
      leave();
    } else if (bytes != null && !bytes.covers(from, to)) {
      leave();
      bytes = get(from, to);
    }
    return new PageRange(newPage, from, to, bytes == null ? null : bytes.share());
  }

  private PageBytes get(int from, int to) {
    long wanted = Math.min(layout.dataLength(page), wantedTo - layout.start(page));
    return pages.isOn(block) ? pages.get(block, page, from, to, (int) Math.max(to, wanted)) : null;
  }

  /** The rest of a page is read from the replica, if this is the page. */
  void giveUp(int lost) {
    if (page == lost) {
      leave();
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
