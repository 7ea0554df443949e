/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import java.util.function.Consumer;

/**
 * An order in which pages leave. All methods may be called by any thread at any time; whoever calls
 * them sees to it that a page is added once and removed once.
 */
public interface EvictionPolicy {

  /** Adds a page that has just been filled. */
  void add(Entry page);

  /** Adds a page that is to leave before those that are there, unless it is read before. */
  void addOlder(Entry page);

  /** A page was read, one that has left perhaps: then nothing happens. */
  void read(Entry page);

  /** Removes a page, for whatever reason. */
  void remove(Entry page);

  /** @return the page that is to leave next, which stays until it is removed; null if none. */
  Entry victim();

  /** Tells the pages, roughly the one first that would leave last. */
  void lastToLeaveFirst(Consumer<Entry> consumer);
}
