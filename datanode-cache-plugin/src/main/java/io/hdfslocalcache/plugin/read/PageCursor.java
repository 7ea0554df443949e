/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import io.hdfslocalcache.plugin.store.OpenPage;

/** A position in one of a reader's two streams, and the page it is in. */
final class PageCursor {

  private static final int NONE = -1;

  private long position;
  private int page = NONE;
  private OpenPage open;

  long position() {
    return position;
  }

  void position(long newPosition) {
    position = newPosition;
  }

  void advance(int bytes) {
    position += bytes;
  }

  /** @return whether it is known where this page is to be read from. */
  boolean isAt(int wanted) {
    return page == wanted;
  }

  /** @return the page's file, or null if the page is to be read from the replica. */
  OpenPage open() {
    return open;
  }

  /** @return the page's file for another user, or null. */
  OpenPage share() {
    return open == null ? null : open.share();
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
