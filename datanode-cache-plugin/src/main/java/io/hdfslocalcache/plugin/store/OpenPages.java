/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The page files that are kept open, for opening one costs more than sending 4 KB from it. Bounded;
 * when full, the clock algorithm closes a file that was not used since the hand last passed. A
 * lookup takes no lock.
 */
final class OpenPages implements Closeable {

  /** Opens a page file. */
  interface Opener {
    OpenPage open() throws IOException;

    /** @return whether the page's file is still in its place. */
    boolean stillThere();
  }

  private final int limit;
  private final ConcurrentHashMap<Object, OpenPage> pages = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private Iterator<Map.Entry<Object, OpenPage>> hand;
  private volatile boolean closed;

  OpenPages(int limit) {
    this.limit = limit;
  }

  /**
   * Finds the page, or opens it. The caller closes what it got.
   *
   * @throws IOException if the file cannot be opened
   */
  OpenPage acquire(Object id, Opener opener) throws IOException {
    OpenPage page = find(id);
    if (page != null) {
      return page;
    }
    OpenPage opened = opener.open();
    keep(id, opened, opener);
    return opened;
  }

  /** @return the page, to be closed by the caller, or null if it is not open. */
  OpenPage find(Object id) {
    OpenPage page = pages.get(id);
    return page != null && page.retain() ? page : null;
  }

  private void keep(Object id, OpenPage opened, Opener opener) {
    if (!opened.retain()) {
      throw new IllegalStateException("a page that was just opened is closed");
    }
    OpenPage old = pages.put(id, opened);
    if (old != null) {
      old.close();
    } else if (count.incrementAndGet() > limit) {
      closeOne();
    }
    // A removal of the page that came before the put has not seen it, and the file of a page that
    // is deleted must not stay open: its space, and its bytes, would stay too.
    if (closed || !opener.stillThere()) {
      close(id);
    }
  }

  /** Closes the page as soon as its readers are done. */
  void close(Object id) {
    OpenPage page = pages.remove(id);
    if (page != null) {
      count.decrementAndGet();
      page.close();
    }
  }

  private synchronized void closeOne() {
    // Two rounds find a victim unless all pages are used faster than the hand moves.
    for (int i = 2 * limit; i > 0 && count.get() > limit; i--) {
      if (hand == null || !hand.hasNext()) {
        hand = pages.entrySet().iterator();
        if (!hand.hasNext()) {
          return;
        }
      }
      Map.Entry<Object, OpenPage> entry = hand.next();
      if (!entry.getValue().forgetUse() && pages.remove(entry.getKey(), entry.getValue())) {
        count.decrementAndGet();
        entry.getValue().close();
      }
    }
  }

  /** @return number of files kept open. */
  int size() {
    return count.get();
  }

  /** Closes all pages that nobody reads; the others are closed by their readers. */
  void closeAll() {
    for (Object id : pages.keySet()) {
      close(id);
    }
  }

  /** The same, for good. */
  @Override
  public void close() {
    closed = true;
    closeAll();
  }
}
