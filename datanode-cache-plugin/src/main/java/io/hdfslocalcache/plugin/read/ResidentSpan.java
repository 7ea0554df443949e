/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.store.OpenPage;

/**
 * What is known to be in memory of the page that a reader is at. Asking costs as much as sending
 * 4 KB, so it is asked once for all that the reader wants of a page, if all of it is there.
 *
 * <p>Used by one thread.
 */
final class ResidentSpan {

  /** For so long, bytes that were in memory are taken to be there still. */
  private static final long VALID_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final PageLayout layout;
  private OpenPage file;
  private int from;
  private int to;
  private long since;

  ResidentSpan(PageLayout layout) {
    this.layout = layout;
  }

  /**
   * Tells whether data, and all of the file behind the page's data, are in memory.
   *
   * @param wanted byte of the page's data at which the reader may end
   */
  boolean covers(OpenPage open, int page, int begin, int end, int wanted) {
    long now = System.nanoTime();
    if (file == open && from <= begin && end <= to && now - since < VALID_NANOS) {
      return true;
    }
    file = null;
    int farther = Math.max(end, wanted);
    if (ask(open, page, begin, farther)) {
      remember(open, begin, farther, now);
    } else if (farther > end && ask(open, page, begin, end)) {
      remember(open, begin, end, now);
    }
    return file != null;
  }

  private boolean ask(OpenPage open, int page, int begin, int end) {
    int length = layout.fileLength(page);
    return end == layout.dataLength(page) ? open.isResident(begin, length)
        : open.isResident(begin, end)
            && open.isResident(layout.dataLength(page), length);
  }

  private void remember(OpenPage open, int begin, int end, long now) {
    file = open;
    from = begin;
    to = end;
    since = now;
  }
}
