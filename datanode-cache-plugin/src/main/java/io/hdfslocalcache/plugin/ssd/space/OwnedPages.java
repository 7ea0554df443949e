/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import io.hdfslocalcache.eviction.Entry;
import io.hdfslocalcache.eviction.LazyLru;

/** The pages of one {@link PageOwner} on an SSD, in the order in which they leave. */
final class OwnedPages {

  private static final int SPACE_UNIT = 4096;
  /** Bytes that a page can take at most: more than any page of a block does. */
  static final long MOST_BYTES = (long) Character.MAX_VALUE * SPACE_UNIT;

  /** What {@link PageEvictor} knows of a page. There are millions: it is kept small. */
  static final class Page extends Entry {
    private final StoredPage id;
    private final OwnedPages account;
    /** Space on the SSD in units of 4 KiB. */
    private char space;
    /** Those that are there, a bit for each. */
    private byte parts;
    /** Whether it was read since it was filled; of a page of before a restart, nobody knows. */
    private boolean read;

    Page(StoredPage id, OwnedPages account, long bytes, int parts) {
      this.id = id;
      this.account = account;
      this.space = units(bytes);
      this.parts = (byte) parts;
    }

    private static char units(long bytes) {
      if (bytes < 0 || bytes > MOST_BYTES) {
        throw new IllegalArgumentException("a page of " + bytes + " bytes");
      }
      return (char) (bytes / SPACE_UNIT);
    }

    /** @return its name. */
    StoredPage id() {
      return id;
    }

    PageOwner owner() {
      return account.owner;
    }

    long bytes() {
      return (long) space * SPACE_UNIT;
    }

    /** @return the parts that are there, a bit for each. */
    int parts() {
      return Byte.toUnsignedInt(parts);
    }

    /** Gets more parts. @param bytes that they take */
    void grow(int more, long bytes) {
      space = units(bytes() + bytes);
      parts |= (byte) more;
      account.owner.grown(bytes);
    }

    boolean wasRead() {
      return read;
    }

    void setRead() {
      read = true;
    }

    /** Notes a use of the page. Takes no lock. */
    void use() {
      if (!read) {
        read = true;
      }
      account.order.read(this);
    }

    /** Leaves its owner. */
    void leave() {
      account.order.remove(this);
      account.pages--;
      account.owner.removed(bytes());
    }

    /** @return the same page on another account, as old as it was. */
    Page moveTo(OwnedPages other) {
      Page moved = new Page(id, other, bytes(), parts);
      moved.read = read;
      leave();
      other.count(moved);
      other.order.addAsOld(moved, this);
      return moved;
    }
  }

  private final PageOwner owner;
  private final LazyLru order;
  private int pages;

  /** @param clock shared by all whose pages are compared by age */
  OwnedPages(PageOwner owner, LazyLru.Clock clock) {
    this.owner = owner;
    this.order = new LazyLru(clock);
  }

  PageOwner owner() {
    return owner;
  }

  LazyLru order() {
    return order;
  }

  boolean isEmpty() {
    return pages == 0;
  }

  /** A page has come; it is put in order by the caller. */
  void count(Page page) {
    pages++;
    owner.added(page.bytes());
  }
}
