/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.io.IOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.LogText;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists the blocks of rules' paths at the NameNodes. Used by one thread. */
final class PathLookup {

  private static final Logger LOG = LoggerFactory.getLogger(PathLookup.class);

  private static final String ALL = "the paths of rules";

  private final Rules rules;
  private final int maxBlocks;
  private final int pageSize;
  private final LocalCacheMetrics metrics;
  /** What each NameNode did not list the last time. */
  private final Map<String, Set<String>> unlisted = new HashMap<>();
  private boolean overBound;

  PathLookup(Rules rules, int maxBlocks, int pageSize, LocalCacheMetrics metrics) {
    this.rules = rules;
    this.maxBlocks = maxBlocks;
    this.pageSize = pageSize;
    this.metrics = metrics;
  }

  /**
   * The blocks of a namespace.
   *
   * @param refused the rules of which the NameNode refused a path
   * @param isDown whether it did not answer
   */
  private record Listed(BlockRules blocks, Set<String> refused, boolean isDown) {
  }

  /**
   * What the NameNodes said.
   *
   * @param notListed the namespaces of NameNodes that did not list all paths
   * @param refused the rules of which one refused a path
   * @param isAnswered whether any answered
   */
  record Answers(List<String> notListed, Set<String> refused, boolean isAnswered) {
  }

  /**
   * Asks all NameNodes, and applies their answers.
   *
   * @throws InterruptedException if the thread was interrupted
   */
  Answers resolve(RuleSet set, List<BlockLister> listers) throws InterruptedException {
    List<String> incomplete = new ArrayList<>();
    Set<String> refused = new HashSet<>();
    boolean isAnswered = false;
    Set<String> asked = new HashSet<>();
    long left = maxBlocks;
    for (BlockLister lister : listers) {
      Listed listed =
          left > 0 ? list(set, lister, left) : new Listed(BlockRules.NONE, Set.of(), false);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      rules.resolved(set, lister.namespace(), listed.blocks);
      asked.add(lister.namespace());
      left -= listed.blocks.size();
      isAnswered |= !listed.isDown;
      refused.addAll(listed.refused);
      if (listed.isDown || !listed.refused.isEmpty()) {
        incomplete.add(lister.namespace());
      }
    }
    rules.retain(set, asked);
    return new Answers(List.copyOf(incomplete), refused, isAnswered);
  }

  /** A rule keeps its known blocks if the NameNode does not list its paths. */
  private Listed list(RuleSet set, BlockLister lister, long most) {
    BlockRules known = rules.known(set, lister.namespace());
    BlockRules found = new BlockRules();
    Map<String, Exception> failures = new LinkedHashMap<>();
    Set<String> refused = new HashSet<>();
    boolean isFull = false;
    for (int i = 0; i < set.size() && !isFull; i++) {
      long rule = 1L << i;
      if (set.get(i).paths().isEmpty()) {
        continue;
      }
      Exception failure = failures.get(ALL);
      if (failure == null) {
        try {
          isFull = !list(set.get(i).paths(), lister, found, i, most);
        } catch (IOException | RuntimeException e) {
          failure = e;
          if (isDown(e)) {
            failures.put(ALL, e);
          } else {
            refused.add(set.get(i).name());
            failures.put("the paths of rule " + set.get(i).name(), e);
          }
          found = found.renumbered(mask -> mask & ~rule);
        }
      }
      if (failure != null) {
        isFull |= !found.addAllOf(i, known, most);
      }
    }
    if (!Thread.currentThread().isInterrupted()) {
      tell(lister.namespace(), failures);
      bounded(isFull);
    }
    return new Listed(found, refused, failures.containsKey(ALL));
  }

  /** @return whether the NameNode was not reached: else, it refused a path. */
  private static boolean isDown(Exception e) {
    return e instanceof IOException
        ? !(e instanceof AccessControlException && e.getCause() instanceof RemoteException)
        : e.getCause() instanceof UnknownHostException;
  }

  /** @return whether all blocks are in. */
  private boolean list(List<String> paths, BlockLister lister, BlockRules found, int rule, long most)
      throws IOException {
    boolean[] isFull = {false};
    lister.list(paths, (pool, block, bytes) -> {
      isFull[0] = !found.contains(pool, block) && found.size() >= most;
      if (!isFull[0]) {
        found.add(pool, block, PageLayout.spaceOfBlock(pageSize, bytes), rule);
      }
      return !isFull[0];
    });
    return !isFull[0];
  }

  private void tell(String namespace, Map<String, Exception> failures) {
    Set<String> before = unlisted.put(namespace, new HashSet<>(failures.keySet()));
    if (failures.isEmpty()) {
      if (before != null && !before.isEmpty()) {
        LOG.info("Local cache: NameNode of {} lists the paths of rules again", namespace);
      }
      return;
    }
    metrics.count(Event.RULES_LISTINGS_FAILED);
    failures.forEach((what, e) -> {
      if (before == null || !before.contains(what)) {
        LOG.warn("Local cache: NameNode of {} did not list {}, which keep the blocks listed before: {}",
            namespace, what, LogText.of(e.toString()));
        LOG.debug("Local cache: listing {} failed", what, e);
      }
    });
  }

  private void bounded(boolean isFull) {
    if (isFull) {
      metrics.count(Event.RULES_LISTINGS_CUT);
      if (!overBound) {
        LOG.warn("Local cache: the paths of rules have more than {} blocks on this DataNode; "
            + "rules do not apply to the rest. Use narrower paths", maxBlocks);
      }
    }
    overBound = isFull;
  }
}
