/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.eviction;

/** An order in which pages leave. Used by one thread. */
public interface EvictionPolicy {

  /** Adds a page that has just been filled, and is in no order. */
  void add(Page page);

  /**
   * A page was read that is there.
   *
   * @return whether it has another place in the order now; a DataNode would take a lock for that
   */
  boolean read(Page page);

  /** Removes a page that is there. */
  void remove(Page page);

  /** @return the page that is to leave next, which stays until it is removed; null if none. */
  Page victim();
}
