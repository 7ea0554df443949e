/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import io.hdfslocalcache.plugin.store.OpenPage;

/** The page that a reader has come to. */
final class PageCursor {

  private static final int NONE = -1;

  private int page = NONE;
  private OpenPage open;

  /** @return whether it is known where this page is to be read from. */
  boolean isAt(int wanted) {
    return page == wanted;
  }

  /** @return the page's file, or null if the page is to be read from the replica. */
  OpenPage open() {
    return open;
  }

  /** Goes to a page; takes over the opened file, or null. */
  void enter(int newPage, OpenPage opened) {
    leaveFile();
    page = newPage;
    open = opened;
  }

  /** Closes the page's file; the rest of the page is read from the replica. */
  void leaveFile() {
    if (open != null) {
      open.close();
      open = null;
    }
  }
}
