/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.LogText;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists the blocks of rules' paths at the NameNodes. Used by one thread. */
final class PathLookup {

  private static final Logger LOG = LoggerFactory.getLogger(PathLookup.class);

  private final Rules rules;
  private final int maxBlocks;
  private final int pageSize;
  private final LocalCacheMetrics metrics;
  private final Set<String> unreachable = new HashSet<>();
  private boolean overBound;

  PathLookup(Rules rules, int maxBlocks, int pageSize, LocalCacheMetrics metrics) {
    this.rules = rules;
    this.maxBlocks = maxBlocks;
    this.pageSize = pageSize;
    this.metrics = metrics;
  }

  /**
   * Asks all NameNodes, and applies their answers.
   *
   * @return whether all answered
   * @throws InterruptedException if the thread was interrupted
   */
  boolean resolve(RuleSet set, List<BlockLister> listers) throws InterruptedException {
    boolean complete = true;
    long left = set.hasPaths() ? maxBlocks : 0;
    for (BlockLister lister : listers) {
      BlockRules blocks = left > 0 ? list(set, lister, left) : BlockRules.NONE;
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (blocks != null) {
        rules.resolved(set, lister.namespace(), blocks);
        left -= blocks.size();
      }
      complete &= blocks != null;
    }
    return complete;
  }

  /** @return null if the NameNode does not answer: the known blocks stay. */
  private BlockRules list(RuleSet set, BlockLister lister, long most) {
    BlockRules found = new BlockRules();
    boolean[] isFull = {false};
    try {
      for (int i = 0; i < set.size() && !isFull[0]; i++) {
        int rule = i;
        if (!set.get(i).paths().isEmpty()) {
          lister.list(set.get(i).paths(), (pool, block, bytes) -> {
            isFull[0] = !found.contains(pool, block) && found.size() >= most;
            if (!isFull[0]) {
              found.add(pool, block, PageLayout.spaceOfBlock(pageSize, bytes), rule);
            }
            return !isFull[0];
          });
        }
      }
    } catch (IOException | RuntimeException e) {
      failed(lister.namespace(), e);
      return null;
    }
    if (unreachable.remove(lister.namespace())) {
      LOG.info("Local cache: NameNode of {} lists the paths of rules again", lister.namespace());
    }
    bounded(isFull[0]);
    return found;
  }

  private void failed(String namespace, Exception e) {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    metrics.count(Event.RULES_LISTINGS_FAILED);
    if (unreachable.add(namespace)) {
      LOG.warn("Local cache: NameNode of {} did not list the paths of rules; rules keep the blocks "
          + "listed before: {}", namespace, LogText.of(e.toString()));
      LOG.debug("Local cache: listing the paths of rules failed", e);
    }
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
