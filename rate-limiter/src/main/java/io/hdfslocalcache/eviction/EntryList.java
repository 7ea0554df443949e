/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.eviction;

/**
 * A ring of pages from the oldest to the newest, closed by a head that is not a page. Not
 * thread-safe.
 *
 * @param <E> the pages
 */
public final class EntryList<E extends Entry> {

  private static final class Head extends Entry {
  }

  private final Entry head = new Head();
  private int size;

  /** Creates an empty list. */
  public EntryList() {
    head.newer = head;
    head.older = head;
  }

  /** @return number of pages. */
  public int size() {
    return size;
  }

  /** @return the oldest page, or null. */
  public E oldest() {
    return orNull(head.newer);
  }

  /** @return the newest page, or null. */
  public E newest() {
    return orNull(head.older);
  }

  /** @return the page before this one, or null. */
  public E olderThan(E page) {
    return orNull(page.older);
  }

  // All entries but the head were added with this type.
  @SuppressWarnings("unchecked")
  private E orNull(Entry page) {
    return page == head ? null : (E) page;
  }

  /** Adds a page that is in no list. */
  public void addNewest(E page) {
    insert(page, head.older, head);
  }

  /** Adds a page that is in no list. */
  public void addOldest(E page) {
    insert(page, head, head.newer);
  }

  private void insert(Entry page, Entry older, Entry newer) {
    page.older = older;
    page.newer = newer;
    older.newer = page;
    newer.older = page;
    size++;
  }

  /** Removes a page of this list. */
  public void remove(E page) {
    page.older.newer = page.newer;
    page.newer.older = page.older;
    page.older = null;
    page.newer = null;
    size--;
  }
}
