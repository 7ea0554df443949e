/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

/**
 * On whose account a page is on an SSD. The pages of an owner can be made to leave before those of
 * others. Called with a lock of the store held: must return at once.
 */
public interface PageOwner {

  /** Owns what nobody else does, and keeps no account. */
  PageOwner NOBODY = new PageOwner() { };

  /** @return whether the pages stay as long as there are others that can leave. */
  default boolean isPinned() {
    return false;
  }

  /** A page has come to this account. */
  default void added(long bytes) {
  }

  /** A page of this account takes so much more. */
  default void grown(long bytes) {
  }

  /** A page of this account has left it. */
  default void removed(long bytes) {
  }
}
