/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;

import io.hdfslocalcache.eviction.Entry;
import io.hdfslocalcache.eviction.LazyLru;
import io.hdfslocalcache.plugin.ssd.space.OwnedPages.Page;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.CacheEvictor;

/**
 * Names the page that leaves next. Differs from Alluxio's in that a use of a page that is no longer
 * there does not bring it back: readers note their use without a lock on the page, for whoever
 * holds that lock may be waiting for the SSD. Nor do most of them take any lock here.
 *
 * <p>It can be filled from its old end, too: pages of before a restart are added newest first, for
 * those are the ones that readers will ask for. Unless they are read they leave before all others,
 * oldest first.
 *
 * <p>Each {@link PageOwner} has an order of its own. The page leaves that would leave first if they
 * were one ({@link LazyLru}), but no pinned one while there are others.
 */
public final class PageEvictor implements CacheEvictor {

  /** Bytes that a page can take at most: more than any page of a block does. */
  public static final long MOST_BYTES = OwnedPages.MOST_BYTES;

  private final LazyLru.Clock clock = new LazyLru.Clock();
  private final PageTable pages = new PageTable();
  private final Map<PageOwner, OwnedPages> accounts = new ConcurrentHashMap<>();

  /** Adds a page that is older than all others, unless it is there. */
  public synchronized void addOlder(StoredPage id, long bytes) {
    OwnedPages account = account(id.owner());
    Page page = enter(id, account, bytes);
    if (page != null) {
      page.setRead();
      account.order().addOlder(page);
    }
  }

  /** Adds a page that has just been filled. */
  public synchronized void add(StoredPage id, long bytes) {
    OwnedPages account = account(id.owner());
    Page page = enter(id, account, bytes);
    if (page != null) {
      account.order().add(page, id.wasMissedBefore());
    }
  }

  /** @return the page, to be put in order, or null if it is there. */
  private Page enter(StoredPage id, OwnedPages account, long bytes) {
    Page page = new Page(id, account, bytes, id.parts());
    if (!pages.add(page)) {
      return null;
    }
    account.count(page);
    return page;
  }

  private OwnedPages account(PageOwner owner) {
    return accounts.computeIfAbsent(owner, o -> new OwnedPages(o, clock));
  }

  @Override
  public void updateOnPut(PageId id) {
    throw new UnsupportedOperationException("a page is added with its size");
  }

  @Override
  public void updateOnGet(PageId id) {
    use(id);
  }

  /** Notes the use of a page. @return whether it is there */
  public boolean use(PageId id) {
    Page page = pages.get(id);
    if (page == null) {
      return false;
    }
    page.use();
    return true;
  }

  /** @return whether the page is there; does not count as a use of it. */
  public boolean contains(PageId id) {
    return pages.get(id) != null;
  }

  @Override
  public void updateOnDelete(PageId id) {
    remove(id);
  }

  /** A page gets more parts. @return false if it is not there */
  public synchronized boolean grow(PageId id, int parts, long bytes) {
    Page page = pages.get(id);
    if (page == null) {
      return false;
    }
    page.grow(parts, bytes);
    return true;
  }

  /** @return the page of this name as it was added; null if it is not there. */
  public StoredPage stored(PageId id) {
    Page page = pages.get(id);
    return page == null ? null : page.id();
  }

  /** @return on whose account a page is; null if it is not there. */
  public PageOwner owner(PageId id) {
    Page page = pages.get(id);
    return page == null ? null : page.owner();
  }

  /** @return the parts of a page, a bit for each; 0 if it is not there. */
  public synchronized int parts(PageId id) {
    Page page = pages.get(id);
    return page == null ? 0 : page.parts();
  }

  /** @return the space that a page takes; 0 if it is not there. */
  public synchronized long bytes(PageId id) {
    Page page = pages.get(id);
    return page == null ? 0 : page.bytes();
  }

  /** Removes a page. @return the space that it took, 0 if it is not there */
  public synchronized long remove(PageId id) {
    Page page = pages.remove(id);
    if (page == null) {
      return 0;
    }
    page.leave();
    if (!page.wasRead()) {
      page.id().leavesUnread();
    }
    return page.bytes();
  }

  /** A page that may leave next, and whose it is. */
  public record Victim(PageId id, PageOwner owner) {
  }

  @Override
  public PageId evict() {
    Victim victim = oldestOf(owner -> true);
    return victim == null ? null : victim.id();
  }

  /** @return the page of these owners that leaves first, or null if they have none. */
  public synchronized Victim oldestOf(Predicate<PageOwner> owners) {
    Page oldest = oldest(owners.and(owner -> !owner.isPinned()));
    if (oldest == null) {
      oldest = oldest(owners);
    }
    return oldest == null ? null : new Victim(oldest.id(), oldest.owner());
  }

  private Page oldest(Predicate<PageOwner> owners) {
    Entry oldest = null;
    for (OwnedPages account : accounts.values()) {
      if (owners.test(account.owner())) {
        oldest = clock.older(oldest, account.order().victim());
      }
    }
    return (Page) oldest;
  }

  @Override
  public PageId evictMatching(Predicate<PageId> criterion) {
    return ids().stream().filter(criterion).findFirst().orElse(null);
  }

  /**
   * Asks for every page whose it is now, given the page and whose it was. Takes no
   * lock for pages whose owner stays.
   *
   * @param ownerOf returns the owner; the same one if it has not changed
   */
  public void assign(BiFunction<StoredPage, PageOwner, PageOwner> ownerOf) {
    List<Move> moves = new ArrayList<>();
    pages.forEach(page -> {
      PageOwner before = page.owner();
      PageOwner now = ownerOf.apply(page.id(), before);
      if (now != before) {
        moves.add(new Move(page, now, clock.age(page)));
      }
    });
    moves.sort(Comparator.comparingLong(Move::age));
    moves.forEach(this::move);
    dropEmptyAccounts();
  }

  private record Move(Page page, PageOwner to, long age) {
  }

  private synchronized void move(Move move) {
    Page before = move.page();
    if (pages.get(before.id()) == before) {
      // A new one: readers that have found the old one must not put it into its old order again.
      pages.replace(before.moveTo(account(move.to())));
    }
  }

  private synchronized void dropEmptyAccounts() {
    accounts.values().removeIf(OwnedPages::isEmpty);
  }

  @Override
  public synchronized void reset() {
    ids().forEach(this::updateOnDelete);
  }

  /** @return the pages, in no order. */
  public List<PageId> ids() {
    List<PageId> ids = new ArrayList<>();
    pages.forEach(page -> ids.add(page.id()));
    return ids;
  }

  /** @return the names of the blocks with pages, the one that was used last first. */
  public List<String> blocksNewestFirst() {
    List<Age> newestFirst = new ArrayList<>();
    accounts.values().forEach(account -> account.order().lastToLeaveFirst(
        page -> newestFirst.add(new Age((Page) page, clock.age(page)))));
    if (accounts.size() > 1) {
      newestFirst.sort(Comparator.comparingLong(Age::age));
    }
    Set<String> blocks = new LinkedHashSet<>();
    newestFirst.forEach(age -> blocks.add(age.page().id().getFileId()));
    return new ArrayList<>(blocks);
  }

  /** How old a page was when it was asked: readers change that all the time. */
  private record Age(Page page, long age) {
  }
}
