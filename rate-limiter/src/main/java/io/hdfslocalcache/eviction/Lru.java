/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

import java.util.function.Consumer;

/**
 * Least recently used, as in section 4.3 of the paper on Uber's local cache: the page that was not
 * read for the longest time leaves. Every read takes the lock. For comparison.
 */
public final class Lru implements EvictionPolicy {

  private final EntryList pages = new EntryList();

  @Override
  public synchronized void add(Entry page) {
    pages.addNewest(page);
  }

  @Override
  public synchronized void addOlder(Entry page) {
    pages.addOldest(page);
  }

  @Override
  public synchronized void read(Entry page) {
    if (page.isLinked()) {
      pages.remove(page);
      pages.addNewest(page);
    }
  }

  @Override
  public synchronized void remove(Entry page) {
    pages.remove(page);
  }

  @Override
  public synchronized Entry victim() {
    return pages.oldest();
  }

  @Override
  public synchronized void lastToLeaveFirst(Consumer<Entry> consumer) {
    for (Entry page = pages.newest(); page != null; page = pages.olderThan(page)) {
      consumer.accept(page);
    }
  }
}
