/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

/**
 * A block as one DataNode has it.
 *
 * @param block block pool and block id, such as {@code BP-1-10.0.0.1-2:blk_3}
 * @param generationStamp of the finalized replica; null if there is none on a disk
 * @param length bytes of that replica; null if there is none on a disk
 * @param cachedPages cached pages of the replica, or, if there is none, of what it was
 * @param wholePages of these, pages of which all parts are cached
 * @param pages pages that it has
 * @param ssd directory of the SSD where its pages are, or would be; null in a dry run: nothing is
 *     cached, but would be
 * @param ssdState state of that SSD; null in a dry run
 * @param reads reads that the rate limiter counts now, perhaps fewer than there were; null if it
 *     cannot tell
 * @param admitted whether a read now would fill the pages it misses
 * @param why the reason; if it is not admitted, all that keeps its pages out
 */
public record BlockStatus(String block, Long generationStamp, Long length, int cachedPages,
    int wholePages, int pages, String ssd, String ssdState, Long reads, boolean admitted, String why) {

  /**
   * How far the filling of a block is.
   *
   * @param block block pool and block id
   * @param state where it stands
   * @param why the reason, if it is refused, or if no page may be written now; else empty
   * @param cachedPages pages of which all parts are cached
   * @param pages pages that the block has
   */
  public record Warming(String block, State state, String why, int cachedPages, int pages) {

    /** Where the filling of a block stands. */
    public enum State {
      /** All pages are cached. */
      CACHED,
      /** Its pages are waiting to be filled, or being filled. */
      FILLING,
      /** Too much waits to be filled already, or no page may be written now; to be asked again. */
      BUSY,
      /** It cannot be filled. */
      REFUSED
    }
  }
}
