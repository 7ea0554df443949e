/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.dryrun;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

import io.hdfslocalcache.plugin.admin.CacheStatus.GhostView;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.DryRunConfig;
import io.hdfslocalcache.plugin.config.DryRunConfig.GhostConfig;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.ratelimit.RateLimiterClock;

/** All ghosts of one DataNode: each sees the same reads and changes. */
public final class Ghosts implements Closeable {

  private final List<Ghost> all = new ArrayList<>();
  private final LongAdder pages = new LongAdder();
  private final LongAdder readsInProgress = new LongAdder();
  private volatile boolean shuttingDown;

  private Ghosts() {
  }

  /** @return that there is none. */
  public static Ghosts none() {
    return new Ghosts();
  }

  /**
   * Makes ghosts that have seen no read.
   *
   * @param replicas the DataNode's replicas
   * @param on the operator's switch
   * @param clock the time that rate limiters live by
   * @throws BadConfigurationException if a rate limiter cannot be made
   */
  public Ghosts(DryRunConfig config, ReplicaAccess replicas, BooleanSupplier on,
      RateLimiterClock clock) throws BadConfigurationException {
    Ghost.Shared shared = new Ghost.Shared(
        replicas, on, clock, new GhostPages.Bound(pages, config.maxPages()), readsInProgress);
    for (GhostConfig one : config.ghosts()) {
      all.add(new Ghost(one, shared));
    }
  }

  /** @return them, in the order of the configuration. */
  public List<Ghost> all() {
    return List.copyOf(all);
  }

  /** @return whether there is none. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** A read when it begins, the same for all ghosts; as {@link #beginRead} has it. */
  record BegunRead(boolean isClient, RuleAccount rule, ReplicaSnapshot snapshot, long known,
      ReadOutcome bypass, long from, long to) {
  }

  /** A read that goes on, as all ghosts see it. Used by one thread. */
  public final class Reading {
    private final BegunRead read;
    private final Ghost.Read[] ghostReads = new Ghost.Read[all.size()];

    private Reading(BegunRead read) {
      this.read = read;
      readsInProgress.increment();
      for (int i = 0; i < ghostReads.length; i++) {
        ghostReads[i] = all.get(i).begin(read);
      }
    }

    /**
     * The read is over.
     *
     * @param end byte after the last that was sent of those asked for
     */
    public void finished(long end) {
      for (int i = 0; i < ghostReads.length; i++) {
        all.get(i).finished(read, ghostReads[i], end);
      }
      readsInProgress.decrement();
    }
  }

  /**
   * A client begins to read.
   *
   * @param clientName empty if the reader is another DataNode
   * @param rule the account of the operator's rule for it, or null
   * @param snapshot the replica as the DataNode's map shows it
   * @param known the generation stamp that the client knows
   * @param bypass why this replica cannot be cached, or null if it can
   * @param from first byte asked for; not checked yet
   * @param to byte after the last one asked for
   * @return the read, to be finished by the caller
   */
  public Reading beginRead(String clientName, RuleAccount rule, ReplicaSnapshot snapshot,
      long known, ReadOutcome bypass, long from, long to) {
    return new Reading(new BegunRead(
        !clientName.isEmpty(), rule, snapshot, known, bypass, from, to));
  }

  /**
   * A replica has changed.
   *
   * @param after the finalized state that the DataNode has now, or null if it has none
   * @param appending whether the finalized replica has become the beginning of one being written
   */
  public void replicaChanged(BlockKey key, ReplicaSnapshot after, boolean appending) {
    all.forEach(ghost -> ghost.replicaChanged(key, after, appending));
  }

  /** The DataNode begins to shut down: replicas that get out of reach have not changed. */
  public void shutdownBegins() {
    shuttingDown = true;
  }

  /** All replicas of a block pool are gone. */
  public void blockPoolRemoved(String blockPoolId) {
    if (!shuttingDown) {
      all.forEach(ghost -> ghost.blockPoolRemoved(blockPoolId));
    }
  }

  /** @return number of reads that have begun and not ended, bypasses included. */
  public long readsInProgress() {
    return readsInProgress.sum();
  }

  /** @return how they do, for an operator. */
  public List<GhostView> status() {
    return all.stream().map(Ghost::status).toList();
  }

  @Override
  public void close() {
    all.forEach(Ghost::close);
  }
}
