/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

/** Chooses which block is read when. */
interface Popularity {

  /** Takes a read. */
  @FunctionalInterface
  interface Sink {
    /**
     * Takes a read.
     *
     * @param millis when, since the beginning
     * @param block which block, numbered from 0
     * @param session reads of one session have one reader
     */
    void read(long millis, int block, int session);
  }

  /** Makes all reads, in any order, the same each time. */
  void forEach(Sink sink);
}
