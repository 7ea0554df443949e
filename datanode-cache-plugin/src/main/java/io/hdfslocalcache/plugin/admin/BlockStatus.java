/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

/**
 * The state of a block on one DataNode.
 *
 * @param block block pool and block id, such as {@code BP-1-10.0.0.1-2:blk_3}
 * @param generationStamp of the finalized replica; null if there is none on a disk
 * @param length bytes of that replica; null if there is none on a disk
 * @param cachedPages cached pages of the replica, or, if it is gone, of the former replica
 * @param wholePages cached pages with all their parts
 * @param pages pages that the replica has
 * @param ssd directory of the SSD where its pages are, or would be; null in a dry run: nothing is
 *     cached, but would be
 * @param ssdState state of that SSD; null in a dry run
 * @param reads reads that the rate limiter counts now, at most as many as there were; null: not
 *     known
 * @param admitted whether a read now would fill the missing pages
 * @param why the reason; if it is not admitted, all the reasons
 * @param unreadable why the replica could not be read when it was last warmed; else empty
 */
public record BlockStatus(String block, Long generationStamp, Long length, int cachedPages,
    int wholePages, int pages, String ssd, String ssdState, Long reads, boolean admitted, String why,
    String unreadable) {

  /**
   * Progress of filling a block.
   *
   * @param block block pool and block id
   * @param state progress
   * @param why the reason, if it is refused, or no page may be written now; else empty
   * @param cachedPages cached pages with all their parts
   * @param pages pages that the block has
   */
  public record Warming(String block, State state, String why, int cachedPages, int pages) {

    /** Progress of filling a block. */
    public enum State {
      /** All pages are cached, or none needs to be. */
      CACHED,
      /** Its pages are waiting to be filled, or being filled. */
      FILLING,
      /** The fill queue is full, or no page may be written now; ask again later. */
      BUSY,
      /** It cannot be filled. */
      REFUSED
    }
  }
}
