/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.util.ArrayDeque;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageLayout;

/**
 * What is ready to be sent, from a reader's position on. Checksums go out before the data that they
 * belong to: what they were read for stays here until its data is sent. Used by one thread.
 */
final class ReadyRanges implements Closeable {

  private final CachedBlock block;
  private final PageLayout layout;
  private final PageSource pages;
  private final PageCursor cursor;
  private final ServedBytes served;
  private final ArrayDeque<PageRange> ready = new ArrayDeque<>();

  ReadyRanges(CachedBlock block, PageSource pages, MissedParts missed, WaitBudget budget,
      ServedBytes served) {
    this.block = block;
    this.layout = block.layout();
    this.pages = pages;
    this.cursor = new PageCursor(block, pages, missed, budget);
    this.served = served;
    cursor.wantedTo(layout.blockLength());
  }

  /** Sets where the reader will end if nothing happens; what is beyond is not read in advance. */
  void wantedTo(long offset) {
    cursor.wantedTo(offset);
  }

  /** Makes chunks of a page ready, or finds out that they have to come from the replica. */
  PageRange load(int page, int from, int to) {
    PageRange range = cursor.at(page, from, to);
    if (!range.isOfReplica()) {
      served.found(range.bytes().origin());
    }
    return range;
  }

  /** Keeps a range behind all that are kept. */
  void add(PageRange range) {
    ready.add(range);
  }

  /** @return where the next bytes of data come from: at least one of them, and no page beyond. */
  PageRange at(int page, int position, int length) {
    while (!ready.isEmpty() && ready.peek().isBefore(page, position)) {
      ready.poll().close();
    }
    PageRange range = ready.peek();
    int end = Math.min(position + length, layout.dataLength(page));
    if (range == null || !range.holds(page, position)) {
      int chunk = layout.chunkSize();
      range = load(page, position / chunk * chunk,
          Math.min((end + chunk - 1) / chunk * chunk, layout.dataLength(page)));
      ready.addFirst(range);
    } else if (!range.isOfReplica() && !pages.isOn(block)) {
      ready.poll().close();
      range = load(page, range.from(), range.to());
      ready.addFirst(range);
    }
    return range;
  }

  /** What is being sent cannot be: the replica has to go on. */
  void giveUpFirst(Exception error) {
    PageRange range = ready.poll();
    ready.addFirst(range.ofReplica());
    giveUp(range, error);
  }

  /** Closes a range whose bytes are lost. The rest of its page is read from the replica. */
  void giveUp(PageRange range, Exception error) {
    range.close();
    pages.lost(block, range.page(), error);
    cursor.giveUp(range.page());
  }

  /** Releases all. The reader may go on elsewhere. */
  @Override
  public void close() {
    for (PageRange range = ready.poll(); range != null; range = ready.poll()) {
      range.close();
    }
    cursor.close();
  }
}
