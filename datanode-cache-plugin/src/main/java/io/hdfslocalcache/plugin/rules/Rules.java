/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.metrics.RuleStatus;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.plugin.ssd.space.PageOwner;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;

/**
 * The rules that hold now, the blocks their paths have, and their accounts. Asking takes no lock
 * and no I/O; without rules it takes next to nothing.
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

  private volatile State state = State.of(RuleSet.NONE, new RuleAccount[0], Map.of());

  /**
   * Finds the rule for a read.
   *
   * @param clientName as the client calls itself
   * @param user as its block token says; null if that is not known
   * @return the account of the rule, or null if there is none
   */
  public RuleAccount of(BlockKey block, String clientName, String user) {
    State now = state;
    return now.accounts.length == 0 ? null
        : now.account(now.set.find(now.masksOf(block), clientName, user));
  }

  /** @return the account of the rule that is for a block whoever reads it, or null. */
  public RuleAccount ofBlock(BlockKey block) {
    State now = state;
    return now.accounts.length == 0 ? null
        : now.account(now.set.findForAnyReader(now.masksOf(block)));
  }

  /** @return whether a rule is for certain users: whoever asks has to find out who reads. */
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

  /** Puts other rules in force, for the blocks that are known by their paths. */
  synchronized void use(RuleSet set) {
    State before = state;
    RuleAccount[] accounts = new RuleAccount[set.size()];
    for (int i = 0; i < accounts.length; i++) {
      accounts[i] = new RuleAccount(
          set.get(i), before.account(before.set.indexOf(set.get(i).name())));
    }
    Map<String, BlockRules> renumbered = new LinkedHashMap<>();
    before.byNamespace.forEach((namespace, blocks) -> renumbered.put(
        namespace, blocks.renumbered(mask -> renumber(mask, before.set, set))));
    state = State.of(set, accounts, renumbered);
  }

  /** A rule that has other paths now has no block until it is resolved again. */
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

  /**
   * Takes the blocks of a namespace.
   *
   * @param set for which they were found: nothing happens if others are in force meanwhile
   */
  synchronized void resolved(RuleSet set, String namespace, BlockRules blocks) {
    State before = state;
    if (before.set == set) {
      Map<String, BlockRules> byNamespace = new LinkedHashMap<>(before.byNamespace);
      byNamespace.put(namespace, blocks);
      state = State.of(set, before.accounts, byNamespace);
    }
  }

  /**
   * Says whose a page is now: that of the rule for its block, or, if there is none, that of the
   * rule that brought it in, as long as there is one of this name.
   */
  public PageOwner ownerOf(StoredPage page, PageOwner before) {
    State now = state;
    BlockKey block = page.key();
    RuleAccount byPath =
        block == null ? null : now.account(now.set.findForAnyReader(now.masksOf(block)));
    if (byPath != null) {
      return byPath;
    }
    int i = before instanceof RuleAccount account ? now.set.indexOf(account.name()) : -1;
    return i < 0 || now.set.get(i).isForPathsOnly() ? PageOwner.NOBODY : now.accounts[i];
  }

  /**
   * Makes room on a rule's account, if need be by evicting pages of that rule: the oldest first.
   * Takes no page of another SSD, which may hang.
   *
   * @param ssd where the page is to be
   * @return whether there is room now, which is {@link #release released} when the page is there
   */
  public boolean reserve(RuleAccount account, SsdDirectory ssd, long bytes) {
    account.reserve(bytes);
    while (account.isExceeded()) {
      if (ssd.pages().evictOneOf(owner -> owner == account) == null) {
        account.reserve(-bytes);
        account.rejected();
        return false;
      }
      account.evicted();
    }
    return true;
  }

  /** Ends a reservation: the page is there and counted, or will never be. */
  public void release(RuleAccount account, long bytes) {
    account.reserve(-bytes);
  }
}
