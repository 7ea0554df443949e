/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.function.Consumer;

import io.hdfslocalcache.eviction.Entry;
import io.hdfslocalcache.eviction.LazyLru;

/**
 * The pages on the SSD, with the parts of each that are there. A page takes the space of its parts
 * and leaves as a whole, in the order of the DataNode.
 */
final class SsdPages {

  /** A page on the SSD, from its fill until it leaves. */
  static final class Page extends Entry {
    /** The same whenever this page enters. */
    final int number;
    /** The parts that are there, a bit for each. */
    int parts;
    /** Whether it was read since it came. */
    boolean wasRead;

    private Page(int number) {
      this.number = number;
    }
  }

  private final PageTrace trace;
  private final long capacity;
  private final LazyLru order = new LazyLru();
  /** By number; null: nothing of the page is there. */
  private final Page[] pages;
  private int size;
  private long used;
  private int most;

  /**
   * Makes an empty SSD.
   *
   * @param capacity bytes that pages may take, enough for one at least
   */
  SsdPages(PageTrace trace, long capacity) {
    this.trace = trace;
    this.capacity = capacity;
    this.pages = new Page[trace.pages()];
  }

  /** Reads parts of a page. @return those of them that are there */
  int read(int number, int wanted) {
    int found = parts(number) & wanted;
    if (found != 0) {
      pages[number].wasRead = true;
      order.read(pages[number]);
    }
    return found;
  }

  /** @return the parts of a page that are there. */
  int parts(int number) {
    return pages[number] == null ? 0 : pages[number].parts;
  }

  /**
   * Adds parts that are not there.
   *
   * @param evicted is told the pages that leave for them
   */
  void add(int number, int added, Consumer<Page> evicted) {
    int space = trace.space(number, added);
    if (pages[number] != null) {
      order.read(pages[number]);
    }
    while (used + space > capacity) {
      Page victim = (Page) order.victim();
      order.remove(victim);
      pages[victim.number] = null;
      size--;
      used -= trace.space(victim.number, victim.parts);
      evicted.accept(victim);
    }
    if (pages[number] == null) {
      pages[number] = new Page(number);
      order.add(pages[number]);
      size++;
    }
    pages[number].parts |= added;
    used += space;
    most = Math.max(most, size);
  }

  /** @return most pages that were there at a time. */
  int most() {
    return most;
  }
}
