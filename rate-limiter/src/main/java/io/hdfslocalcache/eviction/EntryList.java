/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

/** A ring of pages from the oldest to the newest, closed by a head that is no page. */
final class EntryList {

  private static final class Head extends Entry {
  }

  private final Entry head = new Head();
  private int size;

  EntryList() {
    head.newer = head;
    head.older = head;
  }

  int size() {
    return size;
  }

  /** @return the oldest page, or null. */
  Entry oldest() {
    return orNull(head.newer);
  }

  /** @return the newest page, or null. */
  Entry newest() {
    return orNull(head.older);
  }

  /** @return the page that is next in age after this one, or null. */
  Entry newerThan(Entry page) {
    return orNull(page.newer);
  }

  /** @return the page before this one, or null. */
  Entry olderThan(Entry page) {
    return orNull(page.older);
  }

  private Entry orNull(Entry page) {
    return page == head ? null : page;
  }

  void addNewest(Entry page) {
    insert(page, head.older, head);
  }

  void addOldest(Entry page) {
    insert(page, head, head.newer);
  }

  private void insert(Entry page, Entry older, Entry newer) {
    page.older = older;
    page.newer = newer;
    older.newer = page;
    newer.older = page;
    size++;
  }

  void remove(Entry page) {
    page.older.newer = page.newer;
    page.newer.older = page.older;
    page.older = null;
    page.newer = null;
    size--;
  }
}
