/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.ssd.space.OwnedPages.Page;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;

/**
 * Finds an SSD's pages by their names: a hash table of nothing but references to them, 6 to 12
 * bytes of heap for each, where a map has an entry beside. Looking up takes no lock and writes
 * nothing; changes lock a small part of the table, and only that is ever copied to grow.
 *
 * <p>A page stays in its slot as long as it is in an array, so that a reader on its way along the
 * slots misses none. Where one left, a mark stays for readers to go on.
 */
final class PageTable {

  private static final int SEGMENT_BITS = 8;
  private static final int MIN_SLOTS = 8;
  /** Has a multiplication spread numbers that follow one another over all bits. */
  private static final int SPREAD = 0x9E3779B9;
  /** In the place of a page that left. */
  private static final Object LEFT = new Object();

  private final Segment[] segments = new Segment[1 << SEGMENT_BITS];

  PageTable() {
    for (int i = 0; i < segments.length; i++) {
      segments[i] = new Segment();
    }
  }

  /** @return the page of this name, or null. */
  Page get(PageId id) {
    int hash = hash(id);
    AtomicReferenceArray<Object> slots = segment(hash).slots;
    int slot = find(slots, id, hash);
    // Meanwhile another may be there, or none: then the page has left.
    Object found = slot < 0 ? null : slots.getAcquire(slot);
    return isPage(found, id) ? (Page) found : null;
  }

  /** Adds a page unless there is one of its name. @return whether it was added */
  boolean add(Page page) {
    int hash = hash(page.id());
    return segment(hash).add(page, hash);
  }

  /** Puts a page into the place of the one of its name; does nothing if there is none. */
  void replace(Page page) {
    int hash = hash(page.id());
    segment(hash).replace(page, hash);
  }

  /** @return the page of this name, which has left now, or null if there was none. */
  Page remove(PageId id) {
    int hash = hash(id);
    return (Page) segment(hash).remove(id, hash);
  }

  /** Tells all pages; of those that come or leave meanwhile, some. */
  void forEach(Consumer<Page> consumer) {
    for (Segment segment : segments) {
      AtomicReferenceArray<Object> slots = segment.slots;
      for (int i = 0; i < slots.length(); i++) {
        Object found = slots.getAcquire(i);
        if (found != null && found != LEFT) {
          consumer.accept((Page) found);
        }
      }
    }
  }

  private Segment segment(int hash) {
    return segments[hash >>> Integer.SIZE - SEGMENT_BITS];
  }

  private static int hash(PageId id) {
    int hash = (id.getFileId().hashCode() * 31 + (int) id.getPageIndex()) * SPREAD;
    return hash ^ hash >>> 15;
  }

  private static boolean isPage(Object found, PageId id) {
    if (found == null || found == LEFT) {
      return false;
    }
    PageId other = ((Page) found).id();
    return other.getPageIndex() == id.getPageIndex() && other.getFileId().equals(id.getFileId());
  }

  /** @return the slot of the page, or the complement of the one where its search ended. */
  private static int find(AtomicReferenceArray<Object> slots, PageId id, int hash) {
    int mask = slots.length() - 1;
    for (int slot = hash & mask; ; slot = slot + 1 & mask) {
      Object found = slots.getAcquire(slot);
      if (isPage(found, id)) {
        return slot;
      }
      // There is always an empty one.
      if (found == null) {
        return ~slot;
      }
    }
  }

  /** A part of the table that is locked, and grows, by itself. */
  private static final class Segment {
    private volatile AtomicReferenceArray<Object> slots = new AtomicReferenceArray<>(MIN_SLOTS);
    private int pages;
    /** Slots with a page or a mark. */
    private int used;

    synchronized boolean add(Page page, int hash) {
      int end = find(slots, page.id(), hash);
      if (end >= 0) {
        return false;
      }
      if ((used + 1) * 3L > slots.length() * 2L) {
        rebuild();
        end = find(slots, page.id(), hash);
      }
      int slot = firstFree(hash, ~end);
      if (slot == ~end) {
        used++;
      }
      pages++;
      slots.setRelease(slot, page);
      return true;
    }

    private int firstFree(int hash, int end) {
      int mask = slots.length() - 1;
      int slot = hash & mask;
      while (slot != end && slots.getPlain(slot) != LEFT) {
        slot = slot + 1 & mask;
      }
      return slot;
    }

    synchronized void replace(Page page, int hash) {
      int slot = find(slots, page.id(), hash);
      if (slot >= 0) {
        slots.setRelease(slot, page);
      }
    }

    synchronized Object remove(PageId id, int hash) {
      int slot = find(slots, id, hash);
      if (slot < 0) {
        return null;
      }
      Object removed = slots.getPlain(slot);
      slots.setRelease(slot, LEFT);
      pages--;
      int mask = slots.length() - 1;
      // Before an empty slot no mark is needed: a search ends there anyway.
      if (slots.getPlain(slot + 1 & mask) == null) {
        for (; slots.getPlain(slot) == LEFT; slot = slot - 1 & mask) {
          slots.setRelease(slot, null);
          used--;
        }
      }
      return removed;
    }

    /** Copies the pages to where at least half of the slots are empty, and no mark is. */
    private void rebuild() {
      int length = MIN_SLOTS;
      while (length < 2 * (pages + 1)) {
        length *= 2;
      }
      AtomicReferenceArray<Object> old = slots;
      AtomicReferenceArray<Object> copy = new AtomicReferenceArray<>(length);
      for (int i = 0; i < old.length(); i++) {
        Object page = old.getPlain(i);
        if (page != null && page != LEFT) {
          PageId id = ((Page) page).id();
          copy.setPlain(~find(copy, id, hash(id)), page);
        }
      }
      used = pages;
      slots = copy;
    }
  }
}
