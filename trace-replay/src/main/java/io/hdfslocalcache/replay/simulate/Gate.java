/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

/** What a simulation asks its limiter and tells it, read by read. */
interface Gate {

  /** A read begins. */
  void begin(int read);

  /** @return whether the block of the read is admitted; asked when a page of it is missed. */
  boolean admits();

  /** @return whether a page of an admitted block keeps the parts that are missed. */
  boolean admitsPage(int page);

  /** Parts of a page were written to the SSD. @param bytes what they take there */
  void written(long bytes);

  /** A page left to make room. */
  void evicted(int page);

  /** @return the most heap that the limiter took, in bytes; 0 if it does not tell. */
  long heapBytes();

  /** The trace is over. */
  void close();
}
