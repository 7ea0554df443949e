/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.metrics.RuleStatus;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.space.PageEvictor;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * The rules in force, the blocks of their paths, and their accounts. A lookup takes no lock and no
 * I/O; without rules it costs next to nothing.
 */
public final class Rules {

  private record State(RuleSet set, RuleAccount[] accounts, Map<String, BlockRules> byNamespace,
      BlockRules[] blocks) {

    static State of(RuleSet set, RuleAccount[] accounts, Map<String, BlockRules> byNamespace) {
      return new State(
          set, accounts, byNamespace, byNamespace.values().toArray(new BlockRules[0]));
    }

    long masksOf(BlockKey block) {
      long mask = 0;
      for (BlockRules one : blocks) {
        mask |= one.of(block);
      }
      return mask;
    }

    RuleAccount account(int i) {
      return i < 0 ? null : accounts[i];
    }
  }

  /** Pages to evict before somebody else has a turn. */
  private static final int MOST_AT_ONCE = 1000;

  private volatile State state = State.of(RuleSet.NONE, new RuleAccount[0], Map.of());
  private volatile IntSupplier ssds = () -> 1;
  private volatile boolean expectsPages;
  private volatile long expectsUntil;

  /** Restored pages may belong to a rule whose blocks are being looked up. @param until at most */
  void expectPages(long until) {
    expectsUntil = until;
    expectsPages = true;
  }

  /** The blocks of rules were looked up. @param set those that were; others may be in force now */
  synchronized void knowPages(RuleSet set) {
    expectsPages &= state.set != set;
  }

  /**
   * @return whether pages without a rule have none, as far as can be known soon: else, one that a rule
   *     keeps could be evicted
   */
  public boolean knowsPages() {
    return !expectsPages || TimeAndThreads.get().nanoTime() - expectsUntil >= 0;
  }

  /** @param now returns the number of SSDs that share each quota */
  public void shareAmong(IntSupplier now) {
    ssds = now;
  }

  /**
   * Finds the rule for a read.
   *
   * @param clientName name sent by the client
   * @param user user in the block token; null if not known
   * @return the account of the rule, or null if there is none
   */
  public RuleAccount of(BlockKey block, String clientName, String user) {
    State now = state;
    return now.accounts.length == 0 ? null
        : now.account(now.set.find(now.masksOf(block), clientName, user));
  }

  /** @return the account of the rule that matches a block whoever reads it, or null. */
  public RuleAccount ofBlock(BlockKey block) {
    State now = state;
    return now.accounts.length == 0 ? null
        : now.account(now.set.findForAnyReader(now.masksOf(block)));
  }

  /** @return the rules that match a block for some clients or users only, before all others. */
  public List<String> forSomeReaders(BlockKey block) {
    State now = state;
    return now.accounts.length == 0 ? List.of()
        : now.set.forSomeReaders(now.masksOf(block)).stream().map(Rule::words).toList();
  }

  /** @return whether any rule names users, so that the reading user has to be determined. */
  public boolean asksForUser() {
    State now = state;
    return now.accounts.length > 0 && now.set.asksForUser();
  }

  /** @return the rules in force. */
  RuleSet set() {
    return state.set;
  }

  /** @return blocks whose paths are known. */
  public long blocks() {
    return Stream.of(state.blocks).mapToLong(BlockRules::size).sum();
  }

  /** @return the rules, in the order of their file. */
  public List<RuleStatus> status() {
    State now = state;
    return IntStream.range(0, now.accounts.length)
        .mapToObj(i -> now.accounts[i].status(BlockRules.total(now.blocks, i))).toList();
  }

  /** Applies new rules to the blocks of known paths. */
  synchronized void use(RuleSet set) {
    State before = state;
    RuleAccount[] accounts = new RuleAccount[set.size()];
    for (int i = 0; i < accounts.length; i++) {
      RuleAccount known = before.account(before.set.indexOf(set.get(i).name()));
      if (known != null) {
        known.use(set.get(i));
      }
      accounts[i] = known != null ? known : new RuleAccount(set.get(i));
    }
    Map<String, BlockRules> renumbered = new LinkedHashMap<>();
    before.byNamespace.forEach((namespace, blocks) -> renumbered.put(
        namespace, blocks.renumbered(mask -> renumber(mask, before.set, set))));
    state = State.of(set, accounts, renumbered);
  }

  /** A rule with changed paths has no blocks until the next lookup. */
  private static long renumber(long mask, RuleSet before, RuleSet now) {
    long renumbered = 0;
    for (long left = mask; left != 0; left &= left - 1) {
      Rule rule = before.get(Long.numberOfTrailingZeros(left));
      int i = now.indexOf(rule.name());
      if (i >= 0 && now.get(i).paths().equals(rule.paths())) {
        renumbered |= 1L << i;
      }
    }
    return renumbered;
  }

  /** @return the known blocks of a namespace; none if other rules than these are in force. */
  BlockRules known(RuleSet set, String namespace) {
    State now = state;
    return now.set == set ? now.byNamespace.getOrDefault(namespace, BlockRules.NONE)
        : BlockRules.NONE;
  }

  /**
   * Takes the blocks of a namespace.
   *
   * @param set rules of the lookup; nothing happens if others are in force by now
   */
  synchronized void resolved(RuleSet set, String namespace, BlockRules blocks) {
    State before = state;
    if (before.set == set) {
      Map<String, BlockRules> byNamespace = new LinkedHashMap<>(before.byNamespace);
      byNamespace.put(namespace, blocks);
      state = State.of(set, before.accounts, byNamespace);
    }
  }

  /** Forgets the blocks of all other namespaces. @param set as of {@link #resolved} */
  synchronized void retain(RuleSet set, Set<String> namespaces) {
    State before = state;
    if (before.set == set && !namespaces.containsAll(before.byNamespace.keySet())) {
      Map<String, BlockRules> left = new LinkedHashMap<>(before.byNamespace);
      left.keySet().retainAll(namespaces);
      state = State.of(set, before.accounts, left);
    }
  }

  /**
   * Finds the owner of a page: the rule that matches its block or, if none does, the rule that
   * filled it, as long as a rule of this name exists.
   */
  public PageEvictor.Owner ownerOf(StoredPage page, PageEvictor.Owner before) {
    State now = state;
    BlockKey block = page.key();
    RuleAccount byPath =
        block == null ? null : now.account(now.set.findForAnyReader(now.masksOf(block)));
    if (byPath != null) {
      return byPath;
    }
    int i = before instanceof RuleAccount account ? now.set.indexOf(account.name()) : -1;
    return i < 0 || now.set.get(i).isForPathsOnly() ? PageEvictor.Owner.NOBODY : now.accounts[i];
  }

  /**
   * Makes room on a rule's account, if necessary by evicting that rule's oldest pages. Evicts no
   * page of another SSD, which may hang: while this one has less than its share of the quota, the
   * others {@link #trim} theirs.
   *
   * @param ssd SSD for the page
   * @return whether there is room; to be {@link #release released} when the page is written
   */
  public boolean reserve(RuleAccount account, SsdDirectory ssd, long bytes) {
    boolean isReserved = false;
    account.reserve(bytes);
    try {
      isReserved = makeRoom(account, ssd);
      if (!isReserved) {
        account.rejected();
      }
      return isReserved;
    } finally {
      if (!isReserved) {
        account.reserve(-bytes);
      }
    }
  }

  /**
   * Evicts some of an SSD's pages beyond its share of each quota that is exceeded: one may have been
   * lowered, or other SSDs have got pages. Waits for the SSD.
   */
  public void trim(SsdDirectory ssd) {
    for (RuleAccount account : state.accounts) {
      makeRoom(account, ssd);
    }
  }

  /** @return false if the SSD still has more than its share of a quota that is exceeded */
  private boolean makeRoom(RuleAccount account, SsdDirectory ssd) {
    for (int i = 0;; i++) {
      if (!account.isExceeded() || ssd.pages().bytesOf(account) + account.inProgress()
          <= account.quota() / Math.max(1, ssds.getAsInt())) {
        return true;
      }
      if (i == MOST_AT_ONCE || ssd.pages().evictOneOf(owner -> owner == account) == null) {
        return false;
      }
      account.evicted();
    }
  }

  /** Ends a reservation: the page is written and counted, or was given up. */
  public void release(RuleAccount account, long bytes) {
    account.reserve(-bytes);
  }
}
