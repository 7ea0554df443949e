/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;


import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The rules of one file, in its order. The first that matches a read decides. */
final class RuleSet {

  /** Number of bits in a long. */
  static final int MOST = Long.SIZE;

  static final RuleSet NONE = new RuleSet(List.of());

  private final List<Rule> rules;
  private final long anyPath;
  private final long anyReader;
  private final boolean asksForUser;

  RuleSet(List<Rule> rules) {
    this.rules = List.copyOf(rules);
    long withoutPath = 0;
    long withoutReader = 0;
    for (int i = 0; i < rules.size(); i++) {
      Rule rule = rules.get(i);
      withoutPath |= rule.paths().isEmpty() ? 1L << i : 0;
      withoutReader |= rule.isForPathsOnly() ? 1L << i : 0;
    }
    this.anyPath = withoutPath;
    this.anyReader = withoutReader;
    this.asksForUser = rules.stream().anyMatch(rule -> !rule.users().isEmpty());
  }

  /**
   * Joins pins and the rules of a file; pins come first.
   *
   * @throws BadRulesException if there are too many, or two of one name
   */
  static RuleSet of(List<Rule> pins, RuleSet ofFile) throws BadRulesException {
    if (pins.isEmpty()) {
      return ofFile;
    }
    List<Rule> all = new ArrayList<>(pins);
    all.addAll(ofFile.rules);
    if (all.size() > MOST) {
      throw new BadRulesException("rules", "at most " + MOST + " are allowed with the pins, found "
          + all.size(), null);
    }
    if (all.stream().map(Rule::name).distinct().count() < all.size()) {
      throw new BadRulesException("rules", "a pin has the name of another rule", null);
    }
    return new RuleSet(all);
  }

  int size() {
    return rules.size();
  }

  Rule get(int i) {
    return rules.get(i);
  }

  boolean hasPaths() {
    return rules.stream().anyMatch(rule -> !rule.paths().isEmpty());
  }

  boolean asksForUser() {
    return asksForUser;
  }

  /** @return index of a rule, or -1 if there is none of this name. */
  int indexOf(String name) {
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Finds the rule for a read.
   *
   * @param ofBlock the rules whose paths match the block, one bit each
   * @return its index, or -1
   */
  int find(long ofBlock, String client, String user) {
    for (long left = ofBlock | anyPath; left != 0; left &= left - 1) {
      int i = Long.numberOfTrailingZeros(left);
      if (rules.get(i).fits(client, user)) {
        return i;
      }
    }
    return -1;
  }

  /** @return rules that match the block for some readers, before the one for all the others. */
  List<Rule> forSomeReaders(long ofBlock) {
    int last = findForAnyReader(ofBlock);
    return IntStream.range(0, last < 0 ? rules.size() : last)
        .filter(i -> ((ofBlock | anyPath) & ~anyReader & 1L << i) != 0).mapToObj(rules::get).toList();
  }

  /** @return index of the first rule that matches the block whoever reads it, or -1. */
  int findForAnyReader(long ofBlock) {
    long fit = ofBlock & anyReader;
    return fit == 0 ? -1 : Long.numberOfTrailingZeros(fit);
  }
}
