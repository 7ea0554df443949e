/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import io.hdfslocalcache.eviction.Entry;
import io.hdfslocalcache.eviction.LazyLru;

/** The pages of one {@link PageOwner} on an SSD, in the order of eviction. */
final class OwnedPages {

  /**
   * The place of a page in the order. On another account, a page has another one: readers that have
   * found this one do not put it into its old order again.
   */
  static final class Place extends Entry {
    private final StoredPage page;
    private final OwnedPages account;

    Place(StoredPage page, OwnedPages account) {
      this.page = page;
      this.account = account;
    }

    StoredPage page() {
      return page;
    }

    PageOwner owner() {
      return account.owner;
    }

    /** The page is read. Most reads take no lock. */
    void use() {
      account.order.read(this);
    }

    /** The page gets more parts. @param bytes that they take */
    void grow(int parts, long bytes) {
      page.grow(parts, bytes);
      account.owner.grown(bytes);
    }

    /** The page leaves its owner. */
    void leave() {
      account.order.remove(this);
      account.pages--;
      account.owner.removed(page.bytes());
    }
  }

  private final PageOwner owner;
  private final LazyLru order;
  private int pages;

  /** @param clock shared by all owners whose pages are compared by age */
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

  /** A page comes. @return its place, to be put in order by the caller */
  Place enter(StoredPage page) {
    Place place = new Place(page, this);
    page.setPlace(place);
    pages++;
    owner.added(page.bytes());
    return place;
  }

  /** A page of another owner comes, as old as it is. */
  void takeOver(Place from) {
    from.leave();
    order.addAsOld(enter(from.page), from);
  }
}
