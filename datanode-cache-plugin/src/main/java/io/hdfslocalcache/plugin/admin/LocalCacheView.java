/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.admin.BlockStatus.Warming;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.rules.BadRulesException;
import io.hdfslocalcache.plugin.rules.Pins.PinStatus;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.rules.RuleAction;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.settings.RuntimeSettings;
import io.hdfslocalcache.plugin.settings.RuntimeSettings.SettingView;
import io.hdfslocalcache.plugin.settings.SsdCommands;
import io.hdfslocalcache.plugin.ssd.KeptState;
import io.hdfslocalcache.plugin.ssd.SsdReport;

/**
 * What operators can see and change in the local cache of one DataNode. Several IPC handler threads
 * may call it at once; it waits neither for a disk nor for an SSD.
 */
public class LocalCacheView {

  /** The order of {@link #top}; equal blocks are ordered by the other. */
  public enum Order {
    /** Reads that the rate limiter counts now. */
    READS,
    /** Cached pages. */
    PAGES
  }

  private record Heat(CachedBlock block, long reads, int pages) {
  }

  private static final Comparator<Heat> BY_READS =
      Comparator.comparingLong(Heat::reads).thenComparing(Heat::pages);
  private static final Comparator<Heat> BY_PAGES =
      Comparator.comparingInt(Heat::pages).thenComparing(Heat::reads);

  private final LocalCache cache;

  public LocalCacheView(LocalCache cache) {
    this.cache = cache;
  }

  /** @return the state of the local cache and of its SSDs, and its counters. */
  public CacheStatus status() {
    return CacheStatus.of(cache);
  }

  /** @return the condition of the local cache. */
  public Condition condition() {
    return Condition.open(cache.onOff(), cache.directories().reports(),
        cache.restore().progress(), cache.kept().failures(), cache.rules().refusal(),
        cache.holdsBack());
  }

  /** @return milliseconds that the last restore took; -1 while one is in progress. */
  long restoreMillis() {
    return cache.restore().isInProgress() ? -1 : cache.restore().millis();
  }

  /** @return the state of a block on this DataNode and in the local cache. */
  public BlockStatus block(BlockKey key) {
    ReplicaSnapshot replica = cache.replicas().finalized(key);
    CachedBlock cached = replica == null
        ? cache.index().cached(key) : cache.index().find(replica);
    SsdReport ssd = cache.directories().reportOf(key);
    boolean isDryRun = cache.onOff().isDryRun();
    RuleAccount rule = cache.rules().rules().ofBlock(key);
    int pages = pages(cached, replica);
    // No page is missing that could be admitted.
    boolean isWhole = cached != null && pages > 0 && cached.wholePages() == pages;
    List<String> obstacles = isWhole ? refusals(key, ssd, replica)
        : obstacles(key, ssd, replica, rule);
    String why = !obstacles.isEmpty() ? String.join("; ", obstacles)
        : isWhole && !cache.admission().wouldAdmit(key, rule) ? "" : decision(key, true, rule);
    long reads = reads(key);
    return new BlockStatus(key.toString(),
        replica == null ? null : Long.valueOf(replica.generationStamp()),
        replica == null ? null : Long.valueOf(replica.length()),
        cached == null ? 0 : cached.pages(), cached == null ? 0 : cached.wholePages(),
        pages,
        isDryRun ? null : ssd.directory().toString(),
        isDryRun || ssd == SsdReport.NONE ? null : ssd.state().name(),
        reads < 0 ? null : Long.valueOf(reads), obstacles.isEmpty(), why,
        replica == null ? "" : cache.filler().unreadable(replica));
  }

  private int pages(CachedBlock cached, ReplicaSnapshot replica) {
    if (cached != null) {
      return cached.layout().pages();
    }
    int size = cache.config().pageSize();
    return replica == null ? 0 : Math.toIntExact((replica.length() + size - 1) / size);
  }

  /** @return all the reasons why pages of the block are not filled now. */
  private List<String> obstacles(BlockKey key, SsdReport ssd, ReplicaSnapshot replica,
      RuleAccount rule) {
    List<String> obstacles = refusals(key, ssd, replica);
    if (replica != null) {
      String holdsBack = cache.holdsBack();
      obstacles.add(holdsBack);
      boolean wouldAdmit = cache.admission().wouldAdmit(key, rule);
      if (!wouldAdmit || !holdsBack.isEmpty()) {
        obstacles.add(decision(key, wouldAdmit, rule));
      }
    }
    obstacles.removeIf(String::isEmpty);
    return obstacles;
  }

  /** @return why pages of the block cannot be filled, even if admitted; none if they can. */
  private List<String> refusals(BlockKey key, SsdReport ssd, ReplicaSnapshot replica) {
    List<String> refusals = new ArrayList<>();
    if (replica == null) {
      String type = cache.replicas().uncachedType(key);
      refusals.add(type.isEmpty() ? "there is no finalized replica on a disk of this DataNode"
          + (cache.restore().isAwaited(key.blockPoolId()) ? ", which has not loaded the block pool yet" : "")
          : "the replica is on a volume of type " + type + ", which is not cached");
      return refusals;
    }
    addIfOff(refusals);
    boolean mayFill = cache.directories().mayFill(key);
    if (mayFill && !ssd.noSpace().isEmpty()) {
      refusals.add(ssd.noSpace());
    } else if (!mayFill && !ssd.reason().isEmpty()) {
      // A busy SSD is still filled, but has a reason too.
      refusals.add(ssd == SsdReport.NONE ? ssd.reason()
          : "the SSD is " + ssd.state() + ": " + ssd.reason());
    }
    return refusals;
  }

  /** Adds the reason that holds for all blocks. */
  private void addIfOff(List<String> reasons) {
    if (!cache.onOff().isOn()) {
      reasons.add("the local cache is off");
    }
  }

  private String decision(BlockKey key, boolean admitted, RuleAccount rule) {
    List<String> forSome = cache.rules().rules().forSomeReaders(key);
    return decisionForOthers(key, admitted, rule) + (forSome.isEmpty() ? ""
        : "; the client or user may decide: " + String.join(", ", forSome));
  }

  private String decisionForOthers(BlockKey key, boolean admitted, RuleAccount rule) {
    if (rule != null && rule.action() != RuleAction.NORMAL) {
      return rule.words();
    }
    String why = cache.limiter().explain(key.blockPoolId(), key.blockId());
    return why.isEmpty() ? "the rate limiter " + (admitted ? "admits" : "does not admit") + " it"
        : why;
  }

  private long reads(BlockKey key) {
    return cache.limiter().accesses(key.blockPoolId(), key.blockId());
  }

  /**
   * Finds the hottest cached blocks.
   *
   * @param n how many
   * @return the blocks, the hottest first
   */
  public List<BlockStatus> top(int n, Order order) {
    Comparator<Heat> coldestFirst = order == Order.READS ? BY_READS : BY_PAGES;
    PriorityQueue<Heat> hottest = new PriorityQueue<>(n + 1, coldestFirst);
    cache.index().forEach(block -> {
      if (block.pages() > 0) {
        hottest.add(new Heat(block, reads(block.snapshot().key()), block.pages()));
        if (hottest.size() > n) {
          hottest.poll();
        }
      }
    });
    return hottest.stream().sorted(coldestFirst.reversed())
        .map(heat -> block(heat.block().snapshot().key())).toList();
  }

  /**
   * Begins to fill all missing pages of a block, whatever its heat, as far as the write budget
   * allows. Later calls return the progress, and continue a fill that has stopped.
   */
  public Warming warm(BlockKey key) {
    ReplicaSnapshot replica = cache.replicas().finalized(key);
    SsdReport ssd = cache.directories().reportOf(key);
    CachedBlock cached = replica == null ? null : cache.index().find(replica);
    int pages = pages(cached, replica);
    int there = cached == null ? 0 : cached.wholePages();
    if (!cache.replicas().uncachedType(key).isEmpty()) {
      return new Warming(key.toString(), Warming.State.CACHED, "", 0, 0);
    }
    // Also on an SSD that takes no more pages.
    if (cached != null && there == pages && cached.isProven() && cache.onOff().isOn()
        && ssd.state().isReadable() && !ssd.isDrained()) {
      return new Warming(key.toString(), Warming.State.CACHED, "", there, pages);
    }
    List<String> refusals = refusals(key, ssd, replica);
    if (!refusals.isEmpty()) {
      return new Warming(key.toString(), Warming.State.REFUSED, String.join("; ", refusals), there,
          pages);
    }
    if (pages == 0) {
      return new Warming(key.toString(), Warming.State.CACHED, "", there, pages);
    }
    cache.filler().forgetUnreadable(replica);
    String holdsBack = cache.holdsBack();
    boolean isFilling = holdsBack.isEmpty() && cache.fills().submit(FillRequest.order(
        cache.volumeOf(key), replica, cache.rules().rules().ofBlock(key)));
    return new Warming(key.toString(), isFilling ? Warming.State.FILLING : Warming.State.BUSY,
        holdsBack, there, pages);
  }

  /**
   * Changes a setting.
   *
   * @param key the key, with or without {@code dfs.datanode.local.cache.}
   * @param value value as in the configuration
   * @param keep whether it survives a restart
   * @throws IllegalArgumentException if it is not allowed, and nothing was changed
   */
  public RuntimeSettings.Change set(String key, String value, boolean keep) {
    return withEffects(() -> settings().set(key, value, keep));
  }

  /**
   * Resets a setting permanently to its configured value.
   *
   * @param key as in {@link #set}
   * @throws IllegalArgumentException if it is not possible, and nothing was changed
   */
  public RuntimeSettings.Change reset(String key) {
    return withEffects(() -> settings().reset(key));
  }

  private RuntimeSettings.Change withEffects(Supplier<RuntimeSettings.Change> command) {
    String budget = budget();
    RuntimeSettings.Change change = command.get().and(newBudget(budget));
    return change.key().equals(LocalCacheKeys.CAPACITY) ? change.and(tooMuchPinned()) : change;
  }

  /** @return the write budget in words; empty without one, or an SSD. */
  private String budget() {
    Map<String, Long> metrics = cache.limiter().metrics();
    long perDay = metrics.getOrDefault("BudgetBytesPerDay", 0L);
    Long left = metrics.get("BudgetBalanceBytes");
    return perDay == 0 ? "" : Sizes.text(perDay) + " a day"
        + (left == null ? "" : ", " + Sizes.text(Math.max(0, left)) + " left");
  }

  /** A lower budget also holds less, and what it cannot hold is gone. @return empty if as before */
  private String newBudget(String before) {
    String now = budget();
    return now.equals(before) || now.isEmpty() ? ""
        : "the write budget of all SSDs is now " + now + (before.isEmpty() ? "" : " (was " + before + ")");
  }

  /**
   * Adds, drains, removes or replaces an SSD: see {@link SsdCommands#run}.
   *
   * @throws IllegalArgumentException with one line; nothing was changed
   */
  public SsdCommands.Done ssd(String action, String directory) {
    String budget = budget();
    return cache.ssdCommands().run(action, directory).and(newBudget(budget)).and(tooMuchPinned());
  }

  private RuntimeSettings settings() {
    if (cache.settings() == null) {
      throw new IllegalArgumentException("this local cache has no settings to change");
    }
    return cache.settings();
  }

  /**
   * Keeps the pages of a path cached, up to a quota.
   *
   * @param path absolute HDFS path, without wildcards
   * @param quota bytes with or without a suffix such as {@code 200g}; {@code default}: a tenth of
   *     the capacity
   * @throws IllegalArgumentException if that is not possible, and nothing was changed
   */
  public PinStatus pin(String path, String quota) {
    try {
      return cache.pins().pin(path, quota, cache.directories().capacity(),
          cache.config().pageSize());
    } catch (BadRulesException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private String tooMuchPinned() {
    return cache.pins().tooMuch(cache.directories().capacity());
  }

  /**
   * Ends a pin.
   *
   * @return the former pin
   * @throws IllegalArgumentException if the path is not pinned, and nothing was changed
   */
  public PinStatus unpin(String path) {
    try {
      return cache.pins().unpin(path);
    } catch (BadRulesException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** @return all pins, and what they wait for. */
  public PinsView pins() {
    RuleKeeper keeper = cache.rules();
    return new PinsView(keeper.isLookedUp(), keeper.notListed(), notFilling(), tooMuchPinned(),
        cache.onOff().doubt(), cache.pins().all());
  }

  /** @return the pinned paths as one more setting, so that a DataNode with others is seen; empty if none. */
  Optional<SettingView> pinned() {
    String paths = String.join(", ", new TreeSet<>(cache.pins().paths().values()));
    return paths.isEmpty() ? Optional.empty()
        : Optional.of(new SettingView(KeptState.PINS, paths, "none", paths));
  }

  /** @return why no page is written now, to any SSD or to one; empty if pages are. */
  String notFilling() {
    List<String> reasons = new ArrayList<>();
    addIfOff(reasons);
    List<SsdReport> filled = cache.directories().reports().stream()
        .filter(ssd -> !ssd.isDrained()).toList();
    if (filled.isEmpty()) {
      reasons.add(SsdReport.NONE.reason());
    }
    for (SsdReport ssd : filled) {
      if (!ssd.state().isFillable()) {
        reasons.add("blocks of " + ssd.directory() + ", which is " + ssd.state() + ": "
            + ssd.reason());
      } else if (!ssd.noSpace().isEmpty()) {
        reasons.add("blocks of " + ssd.directory() + ": " + ssd.noSpace());
      }
    }
    reasons.add(cache.holdsBack());
    reasons.removeIf(String::isEmpty);
    return String.join("; ", reasons);
  }

  /** @return the operator's rules, with the pages and reads of each. */
  public RulesView rules() {
    RuleKeeper keeper = cache.rules();
    return new RulesView(keeper.file(), keeper.refusal(), keeper.rules().blocks(),
        keeper.isLookedUp(), keeper.notListed(), keeper.rules().status(), cache.pins().paths(),
        cache.onOff().doubt());
  }

  /**
   * Reads the rules file again, and schedules a lookup of its paths.
   *
   * @throws IllegalArgumentException if they are not valid; the previous rules stay in force, and
   *     the message names the line
   */
  public void reloadRules() {
    try {
      cache.rules().reload();
    } catch (BadRulesException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** @return why pages that are cleared now may come back; none if they cannot. */
  public List<String> mayComeBack() {
    List<String> reasons = new ArrayList<>();
    for (SsdReport ssd : cache.directories().reports()) {
      String trouble = cache.directories().trouble(ssd.directory());
      if (!trouble.isEmpty() || ssd.undeletedFiles() > 0) {
        reasons.add(ssd.directory() + ": " + (trouble.isEmpty() ? ssd.reason() : trouble));
      }
    }
    if (cache.restore().isInProgress()) {
      reasons.add("pages are still being restored");
    }
    return reasons;
  }

  /**
   * Removes the pages of a block from the local cache.
   *
   * @param why for the log
   * @return number of pages, which will be deleted from the SSD soon
   */
  public int clear(BlockKey key, String why) {
    CachedBlock block = cache.index().get(key);
    return block == null ? 0 : cache.changes().clear(block, why);
  }

  /**
   * Removes all pages from the local cache.
   *
   * @param why for the log
   * @return number of pages, which will be deleted from the SSDs soon
   */
  public int clearAll(String why) {
    AtomicInteger pages = new AtomicInteger();
    cache.index().forEach(block -> pages.addAndGet(cache.changes().clear(block, why)));
    return pages.get();
  }
}
