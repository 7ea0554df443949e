/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

/**
 * How far the filling of a block is.
 *
 * @param block block pool and block id
 * @param state where it stands
 * @param why the reason, if it is refused; else empty
 * @param cachedPages pages that are cached
 * @param pages pages that the block has
 */
public record Warming(String block, State state, String why, int cachedPages, int pages) {

  /** Where the filling of a block stands. */
  public enum State {
    /** All pages are cached. */
    CACHED,
    /** Its pages are waiting to be filled, or being filled. */
    FILLING,
    /** Too much waits to be filled already; to be asked again. */
    BUSY,
    /** It cannot be filled. */
    REFUSED
  }
}
