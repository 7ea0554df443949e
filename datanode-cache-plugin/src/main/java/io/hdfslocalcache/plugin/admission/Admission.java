/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admission;

import java.io.IOException;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.index.Ssd;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.rules.RuleAction;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import org.apache.hadoop.util.DataChecksum;

/**
 * Decides on reads and fills: whether a read is counted, whether it bypasses the local cache, which
 * pages serve it, and what may be filled. A rule may be null: none.
 *
 * <p>A change of a replica while it is being filled must not leave a page that will never be
 * removed. The order of steps guarantees that: the block is {@link #enter entered} into the index,
 * then the dataset is asked whether the replica is still the same. The answer shows an earlier
 * change; a later change finds the entry and kills it. A page is {@link
 * #publish published} only while its entry lives, under the entry's lock, which is also taken to
 * remove the pages of a killed entry.
 *
 * <p>Restored pages may be of another replica with the same block id, generation stamp and length.
 * So before the first page of a block is served, the {@link ReplicaIdentity} of the pages is
 * compared with that of the DataNode's replica. The block is in the index then: a later change of
 * the replica kills it like any other.
 */
public final class Admission {

  private final BooleanSupplier isOn;
  private final BooleanSupplier knowsPages;
  private final SsdDirectories directories;
  private final CacheRateLimiter limiter;
  private final ReplicaAccess replicas;
  private final BlockIndex index;
  private final BiConsumer<CachedBlock, String> removal;
  private final LocalCacheMetrics metrics;

  /**
   * Makes the decisions.
   *
   * @param isOn the operator's switch
   * @param knowsPages whether no page is evicted as nobody's that a rule keeps
   * @param directories the SSDs, which know whether they may be read and written
   * @param limiter counts reads and decides if there is no rule; must not throw
   * @param replicas the DataNode's replicas
   * @param index which blocks have pages
   * @param removal removes the pages of a killed block; gets the reason
   */
  public Admission(BooleanSupplier isOn, BooleanSupplier knowsPages, SsdDirectories directories,
      CacheRateLimiter limiter, ReplicaAccess replicas, BlockIndex index,
      BiConsumer<CachedBlock, String> removal,
      LocalCacheMetrics metrics) {
    this.isOn = isOn;
    this.knowsPages = knowsPages;
    this.directories = directories;
    this.limiter = limiter;
    this.replicas = replicas;
    this.index = index;
    this.removal = removal;
    this.metrics = metrics;
  }

  /**
   * A read begins. It is counted even while the local cache is off, so that the limiter's window is
   * filled when it is switched on. A read of no byte of the block, which the DataNode may refuse, is
   * not counted.
   *
   * @param isClient false if the reader is another DataNode
   * @param entry of the block in the index, or null
   * @param from first byte requested; not checked yet
   * @param to byte after the last one requested; less if that lies behind the block's end
   * @param unfit why this replica cannot be cached, or null if it can
   * @return why the local cache is not asked, or null if it is
   */
  public ReadOutcome begin(boolean isClient, RuleAccount rule, BlockKey key, CachedBlock entry,
      long from, long to, ReadOutcome unfit) {
    if (!isClient) {
      return ReadOutcome.BYPASS_NOT_CLIENT;
    }
    if (from >= 0 && from < to && unfit != ReadOutcome.BYPASS_UNSUPPORTED
        && (rule == null || rule.action() != RuleAction.NEVER)) {
      limiter.record(key.blockPoolId(), key.blockId(), from, to - from);
    }
    if (!isOn.getAsBoolean()) {
      return ReadOutcome.BYPASS_OFF;
    }
    SsdDirectory ssd = entry != null ? SsdDirectory.of(entry) : directories.of(key);
    return ssd != null && ssd.mayRead() ? unfit : ReadOutcome.BYPASS_UNHEALTHY;
  }

  /**
   * Finds pages for a read that has {@link #begin begun}. During an append, clients that know only
   * the old state get its pages.
   *
   * @param entry of the block in the index, or null
   * @param snapshot the replica as the DataNode's map shows it
   * @param known the generation stamp that the client knows
   * @param bypass the result of {@link #begin}
   * @param from first byte requested; not checked yet
   * @param to byte after the last one requested
   * @return the block, or null if none of these bytes is in a page, or if its pages are not known
   *     to be of this replica. For a restored block this may wait for the replica's disk, like
   *     opening the replica; no lock is held meanwhile.
   */
  public CachedBlock pages(CachedBlock entry, ReplicaSnapshot snapshot, long known,
      ReadOutcome bypass, long from, long to) {
    CachedBlock block = null;
    if (entry != null && (bypass == null
        ? entry.snapshot().equals(snapshot) && !entry.isDead()
        : bypass == ReadOutcome.BYPASS_NOT_FINALIZED
            && entry.snapshot().generationStamp() == known)) {
      block = entry;
    }
    return block != null && from >= 0 && from < to && to <= block.snapshot().length()
        && block.hasAny(from, to)
        && (block.isProven() || bypass == null && isProvenNow(block)) ? block : null;
  }

  /** Compares the pages with the DataNode's replica, and removes them if they are of another one. */
  private boolean isProvenNow(CachedBlock block) {
    try {
      if (block.prove(replicas.identity(block.snapshot()))) {
        return true;
      }
    } catch (IOException e) {
      // Not known. The read continues as a miss, and finds the error of the replica.
      return false;
    }
    int pages = block.pages();
    if (index.discard(block)) {
      removeOfAnother(block, pages);
    }
    return false;
  }

  private void removeOfAnother(CachedBlock block, int pages) {
    metrics.add(Event.RESTORE_DROPPED_STALE, pages);
    removal.accept(block, "its pages are of another replica");
  }

  /** @return whether pages of the block may be filled at this moment. */
  public boolean mayFill(BlockKey key) {
    return isOn.getAsBoolean() && knowsPages.getAsBoolean() && directories.mayFill(key);
  }

  /**
   * Tells whether the SSD of a block keeps up with its fills. If not, bytes read for a page would
   * be dropped, or slow down other reads; this is counted.
   */
  public boolean isKeptUpWith(BlockKey key) {
    SsdDirectory ssd = directories.of(key);
    boolean keepsUp = ssd != null && ssd.keepsUp();
    if (!keepsUp) {
      metrics.count(Event.FILLS_DROPPED_QUEUE_FULL);
    }
    return keepsUp;
  }

  /** @return whether misses of a block are filled. */
  public boolean admits(BlockKey key, RuleAccount rule) {
    return isNormal(rule) ? limiter.admits(key.blockPoolId(), key.blockId())
        : rule.action() != RuleAction.NEVER;
  }

  /** @return the same for an operator, who is no reader. */
  public boolean wouldAdmit(BlockKey key, RuleAccount rule) {
    return isNormal(rule) ? limiter.wouldAdmit(key.blockPoolId(), key.blockId())
        : rule.action() != RuleAction.NEVER;
  }

  /** @return whether a page that a reader misses is filled; asked once for each read of it. */
  public boolean admits(BlockKey key, RuleAccount rule, int page) {
    if (isNormal(rule)) {
      return limiter.admits(key.blockPoolId(), key.blockId(), page);
    }
    boolean isAdmitted = limiter.admitsByRule();
    if (!isAdmitted) {
      rule.rejected();
    }
    return isAdmitted;
  }

  /** @return whether a written page was missed before the miss that filled it. */
  public boolean wasMissedBefore(BlockKey key, RuleAccount rule, int page) {
    return !isNormal(rule) || limiter.wasMissedBefore(key.blockPoolId(), key.blockId(), page);
  }

  /**
   * Tells whether a page that an operator requests may be read now: the budget exceeds the bytes
   * that wait to be written.
   *
   * @param reading bytes that are being read for operators
   */
  public boolean mayRead(long reading) {
    return limiter.mayWrite(reading + directories.all().stream()
        .mapToLong(ssd -> ssd.writes().waitingBytes()).sum());
  }

  /** @return whether not even an admitted page may be written. */
  public boolean isBudgetSpent() {
    return limiter.isBudgetSpent();
  }

  private static boolean isNormal(RuleAccount rule) {
    return rule == null || rule.action() == RuleAction.NORMAL;
  }

  /**
   * Enters a block into the index, for pages that are about to be filled.
   *
   * @param files of its replica, which the pages are filled from
   * @param pageSize bytes of block data in a page
   * @return the entry, the caller being one of its {@link CachedBlock#removeReader readers}; null
   *     if the block cannot be cached, or the replica has changed
   * @throws IOException if the replica cannot be read
   */
  public CachedBlock enter(ReplicaSnapshot snapshot, ReplicaFiles files, int pageSize)
      throws IOException {
    DataChecksum checksum = files.checksum();
    if (!PageLayout.supports(pageSize, checksum)) {
      metrics.count(Event.FILLS_DROPPED_UNSUPPORTED);
      return null;
    }
    return enter(
        snapshot, new PageLayout(pageSize, checksum, snapshot.length()), files.identity());
  }

  /**
   * The same.
   *
   * @param identity of the replica, read before the bytes are read that the pages are filled with
   */
  public CachedBlock enter(
      ReplicaSnapshot snapshot, PageLayout layout, ReplicaIdentity identity) {
    SsdDirectory ssd = directories.of(snapshot.key());
    CachedBlock block = ssd == null ? null
        : enter(snapshot, () -> index.register(snapshot, layout, identity, ssd));
    if (block == null) {
      metrics.count(Event.FILLS_DROPPED_STALE);
    }
    return block;
  }

  /**
   * Enters a block into the index, for restored pages.
   *
   * @param fileId name of the pages
   * @param ssd where they are
   * @return the entry, or the one that the block has already, with pages of this replica or of
   *     another; null if the replica has changed
   */
  public CachedBlock enterRestored(ReplicaSnapshot snapshot, PageLayout layout,
      String fileId, Ssd ssd) {
    return enter(
        snapshot, () -> index.registerRestored(snapshot, layout, fileId, ssd));
  }

  private CachedBlock enter(ReplicaSnapshot snapshot,
      Supplier<BlockIndex.Registration> registration) {
    if (!replicas.isCurrent(snapshot)) {
      // An entry of the present replica must not be replaced by an old one.
      return null;
    }
    BlockIndex.Registration entry = registration.get();
    boolean isEntered = false;
    try {
      CachedBlock replaced = entry.replaced();
      if (replaced != null && replaced.snapshot().equals(snapshot) && !replaced.isProven()) {
        removeOfAnother(replaced, replaced.pages());
      } else if (replaced != null) {
        removal.accept(replaced, "replaced by " + snapshot);
      }
      // In this order: see above. If the entry has pages, from a fill before, a change will find it or
      // has found it.
      isEntered = replicas.isCurrent(snapshot);
      return isEntered ? entry.block() : null;
    } finally {
      if (!isEntered) {
        entry.block().removeReader();
      }
    }
  }

  /** Counts bytes written to an SSD, by their space there. */
  public void written(long bytes) {
    limiter.written(bytes);
  }

  /**
   * Publishes parts of a page unless the block has changed, and counts them.
   *
   * @param parts the missing parts, a bit for each
   * @param publication publishes them, and returns whether that succeeded
   */
  public void publish(CachedBlock block, int page, int parts, BooleanSupplier publication) {
    boolean isNew;
    // The thread that kills the block removes its pages afterwards, with the same lock.
    block.adding().lock();
    try {
      if (block.isDead()) {
        metrics.count(Event.FILLS_DROPPED_STALE);
        return;
      }
      isNew = block.parts(page) == 0;
      if (!publication.getAsBoolean()) {
        metrics.count(Event.FILLS_DROPPED_NOT_PUBLISHED);
        return;
      }
    } finally {
      block.adding().unlock();
    }
    metrics.add(Event.FILL_BYTES, block.layout().dataLength(page, parts));
    metrics.add(Event.FILL_WRITTEN_BYTES, block.layout().space(page, parts));
    if (isNew) {
      metrics.count(Event.FILLS);
    }
  }
}
