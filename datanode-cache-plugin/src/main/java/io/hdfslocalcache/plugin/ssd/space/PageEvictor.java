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

import io.hdfslocalcache.eviction.LazyLru;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.CacheEvictor;

/**
 * Chooses the page to evict next. Unlike in Alluxio's, the use of a removed page does not add it
 * again: readers mark a page as used without its lock, because the lock's holder may be waiting for
 * the SSD. Most of them take no lock here either.
 *
 * <p>Pages can also be added at its old end: restored pages are added newest first, because readers
 * need those first. Unless they are read, they are evicted before all others, oldest first.
 *
 * <p>Each {@link Owner} has its own order. The oldest page of all is evicted first
 * ({@link LazyLru}), but pinned ones only if there are no others.
 */
public final class PageEvictor implements CacheEvictor {

  /**
   * The account of a page on an SSD. The pages of an owner can be evicted before those of others.
   * Called with a lock of the store held: must return at once.
   */
  public interface Owner {

    /** Owner of all other pages; counts nothing. */
    Owner NOBODY = new Owner() { };

    /** @return whether the pages stay as long as others can be evicted. */
    default boolean isPinned() {
      return false;
    }

    /** A page was added to this account. */
    default void added(long bytes) {
    }

    /** A page of this account grew by so many bytes. */
    default void grown(long bytes) {
    }

    /** A page was removed from this account. */
    default void removed(long bytes) {
    }
  }

  /**
   * The place of a page in the order. With another owner, a page has another place: readers that
   * hold this one cannot put the page back into its old order.
   */
  static final class Place extends LazyLru.Entry {
    private final StoredPage page;
    private final Account account;

    private Place(StoredPage page, Account account) {
      this.page = page;
      this.account = account;
    }

    Owner owner() {
      return account.owner;
    }

    /** The page is read. Most reads take no lock. */
    void use() {
      account.order.read(this);
    }

    /** The page leaves its owner. */
    private void leave() {
      account.order.remove(this);
      account.pages--;
      account.bytes -= page.bytes();
      account.owner.removed(page.bytes());
    }
  }

  /** The pages of an owner. */
  private static final class Account {
    private final Owner owner;
    private final LazyLru order;
    private int pages;
    private long bytes;

    Account(Owner owner, LazyLru.Clock clock) {
      this.owner = owner;
      this.order = new LazyLru(clock);
    }

    /** Creates the place of a new page. @return its place, to be put in order by the caller */
    Place enter(StoredPage page) {
      Place place = new Place(page, this);
      page.setPlace(place);
      pages++;
      bytes += page.bytes();
      owner.added(page.bytes());
      return place;
    }
  }

  private final LazyLru.Clock clock = new LazyLru.Clock();
  private final Map<Owner, Account> accounts = new ConcurrentHashMap<>();

  /** Adds a page that is older than all others, unless it is there. */
  public synchronized void addOlder(StoredPage page, long bytes) {
    if (!page.isThere()) {
      page.take(bytes);
      page.setRead();
      Account account = account(page.owner());
      account.order.addOlder(account.enter(page));
    }
  }

  /** Adds a page that has just been filled, unless it is there. */
  public synchronized void add(StoredPage page, long bytes) {
    if (!page.isThere()) {
      page.take(bytes);
      Account account = account(page.owner());
      account.order.add(account.enter(page), page.wasMissedBefore());
    }
  }

  private Account account(Owner owner) {
    return accounts.computeIfAbsent(owner, o -> new Account(o, clock));
  }

  @Override
  public void updateOnPut(PageId id) {
    throw new UnsupportedOperationException("a page is added with its size");
  }

  @Override
  public void updateOnGet(PageId id) {
    // Alluxio knows the name only. Readers note their use themselves: StoredPage.use.
  }

  @Override
  public void updateOnDelete(PageId id) {
    remove((StoredPage) id);
  }

  /** A page gets more parts. @return false if it is not there */
  public synchronized boolean grow(StoredPage page, int parts, long bytes) {
    Place place = page.place();
    if (place == null) {
      return false;
    }
    page.grow(parts, bytes);
    place.account.bytes += bytes;
    place.owner().grown(bytes);
    return true;
  }

  /** @return bytes of an owner's pages here. */
  public synchronized long bytesOf(Owner owner) {
    Account account = accounts.get(owner);
    return account == null ? 0 : account.bytes;
  }

  private synchronized void remove(StoredPage page) {
    Place place = page.place();
    if (place != null) {
      place.leave();
      page.setPlace(null);
      if (!page.wasRead()) {
        page.leavesUnread();
      }
    }
  }

  @Override
  public PageId evict() {
    return oldestOf(owner -> true);
  }

  /** @return the page of these owners that leaves first, or null if they have none. */
  public synchronized StoredPage oldestOf(Predicate<Owner> owners) {
    StoredPage oldest = oldest(owners.and(owner -> !owner.isPinned()));
    return oldest != null ? oldest : oldest(owners);
  }

  private StoredPage oldest(Predicate<Owner> owners) {
    LazyLru.Entry oldest = null;
    for (Account account : accounts.values()) {
      if (owners.test(account.owner)) {
        oldest = clock.older(oldest, account.order.victim());
      }
    }
    return oldest == null ? null : ((Place) oldest).page;
  }

  @Override
  public PageId evictMatching(Predicate<PageId> criterion) {
    return pages().stream().filter(criterion).findFirst().orElse(null);
  }

  /**
   * Updates the owners of pages. Takes no lock for pages whose owner stays.
   *
   * @param ownerOf given a page and its previous owner, returns the present one
   */
  public void assign(List<StoredPage> pages, BiFunction<StoredPage, Owner, Owner> ownerOf) {
    List<Move> moves = new ArrayList<>();
    for (StoredPage page : pages) {
      Place place = page.place();
      if (place != null) {
        Owner now = ownerOf.apply(page, place.owner());
        if (now != place.owner()) {
          moves.add(new Move(place, clock.age(place)));
        }
      }
    }
    moves.sort(Comparator.comparingLong(Move::age));
    moves.forEach(move -> move(move.place(), ownerOf));
    dropEmptyAccounts();
  }

  private record Move(Place place, long age) {
  }

  /** Asks again for the owner: the rules may have changed meanwhile. */
  private synchronized void move(Place place, BiFunction<StoredPage, Owner, Owner> ownerOf) {
    if (place.page.place() == place) {
      Owner owner = ownerOf.apply(place.page, place.owner());
      place.leave();
      Account to = account(owner);
      to.order.addAsOld(to.enter(place.page), place);
    }
  }

  private synchronized void dropEmptyAccounts() {
    accounts.values().removeIf(account -> account.pages == 0);
  }

  @Override
  public synchronized void reset() {
    pages().forEach(this::remove);
  }

  /** @return the pages, in no order. */
  public List<StoredPage> pages() {
    List<StoredPage> pages = new ArrayList<>();
    accounts.values().forEach(account -> account.order.lastToLeaveFirst(
        place -> pages.add(((Place) place).page)));
    return pages;
  }

  /** @return the names of the blocks with pages, the most recently used first. */
  public List<String> blocksNewestFirst() {
    List<Age> newestFirst = new ArrayList<>();
    accounts.values().forEach(account -> account.order.lastToLeaveFirst(
        place -> newestFirst.add(
            new Age(((Place) place).page, clock.age(place)))));
    if (accounts.size() > 1) {
      newestFirst.sort(Comparator.comparingLong(Age::age));
    }
    Set<String> blocks = new LinkedHashSet<>();
    newestFirst.forEach(age -> blocks.add(age.page().getFileId()));
    return new ArrayList<>(blocks);
  }

  /** The age of a page at one moment: readers change it all the time. */
  private record Age(StoredPage page, long age) {
  }
}
