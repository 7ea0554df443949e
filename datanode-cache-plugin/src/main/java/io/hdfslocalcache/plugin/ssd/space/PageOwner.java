/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

/**
 * The account of a page on an SSD. The pages of an owner can be evicted before those of others.
 * Called with a lock of the store held: must return at once.
 */
public interface PageOwner {

  /** Owner of all other pages; counts nothing. */
  PageOwner NOBODY = new PageOwner() { };

  /** @return whether the pages stay as long as others can be evicted. */
  default boolean isPinned() {
    return false;
  }

  /** A page was added to this account. */
  default void added(long bytes) {
  }

  /** A page of this account grew by so many bytes. */
  default void grown(long bytes) {
  }

  /** A page was removed from this account. */
  default void removed(long bytes) {
  }
}
