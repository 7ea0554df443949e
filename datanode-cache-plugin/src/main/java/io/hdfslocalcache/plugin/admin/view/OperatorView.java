/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin.view;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.admin.BlockStatus;
import io.hdfslocalcache.plugin.admin.CacheStatus;
import io.hdfslocalcache.plugin.admin.LocalCacheView;
import io.hdfslocalcache.plugin.admin.OnOff;
import io.hdfslocalcache.plugin.admin.RulesView;
import io.hdfslocalcache.plugin.admin.SettingChange;
import io.hdfslocalcache.plugin.admin.Warming;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.fill.FillDecisions;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.fill.Fills;
import io.hdfslocalcache.plugin.fill.VolumeWaits;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.invalidation.ReplicaChanges;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.PinStatus;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.rules.BadRulesException;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.rules.RuleAction;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdReport;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;

/** The local cache as an operator sees it. */
public final class OperatorView implements LocalCacheView {

  /**
   * What the local cache is made of.
   *
   * @param settings those that can be changed; null: none can
   */
  public record Context(LocalCacheConfig config, OnOff onOff, CacheRateLimiter limiter,
      ReplicaAccess replicas, LocalCacheMetrics metrics, RuntimeSettings settings,
      BlockIndex index, SsdDirectories directories, MemoryTier memory, Fills fills,
      FillDecisions decisions, VolumeWaits waits, RuleKeeper rules, ReplicaChanges changes) {
  }

  private record Heat(CachedBlock block, long reads, int pages) {
  }

  private static final Comparator<Heat> BY_READS =
      Comparator.comparingLong(Heat::reads).thenComparing(Heat::pages);
  private static final Comparator<Heat> BY_PAGES =
      Comparator.comparingInt(Heat::pages).thenComparing(Heat::reads);

  private final Context context;
  private final PinCommands pins;

  public OperatorView(Context context) {
    this.context = context;
    this.pins = new PinCommands(
        context.rules().pins(), context.directories(), context.config().pageSize());
  }

  @Override
  public CacheStatus status() {
    LocalCacheMetrics metrics = context.metrics();
    Map<String, Long> counters = new LinkedHashMap<>();
    for (ReadOutcome outcome : ReadOutcome.values()) {
      counters.put(outcome.metric(), metrics.reads(outcome));
    }
    for (Event event : Event.values()) {
      counters.put(event.metric(), metrics.total(event));
    }
    return new CacheStatus(context.onOff().isOn(), context.onOff().describe(),
        context.index().pages(), context.index().blocks(), context.fills().queuedPages(),
        metrics.offload(), metrics.reuseRate(), counters, errors(metrics),
        new CacheStatus.MemoryView(context.memory().pages(), context.memory().usedBytes(),
            context.memory().capacityBytes()),
        ssds(), volumes(), context.settings() == null ? List.of() : context.settings().inForce());
  }

  private static Map<String, Long> errors(LocalCacheMetrics metrics) {
    Map<String, Long> errors = new LinkedHashMap<>();
    for (Operation operation : Operation.values()) {
      for (ErrorCause cause : ErrorCause.values()) {
        long n = metrics.errors(operation, cause);
        if (n != 0) {
          errors.put("Errors" + operation.metric() + cause.metric(), n);
        }
      }
    }
    return errors;
  }

  private List<CacheStatus.SsdView> ssds() {
    return context.directories().reports().stream().map(ssd -> new CacheStatus.SsdView(
        ssd.directory().toString(), ssd.state().name(), ssd.reason(), ssd.usedBytes(),
        ssd.capacityBytes())).toList();
  }

  private List<CacheStatus.VolumeView> volumes() {
    List<CacheStatus.VolumeView> volumes = new ArrayList<>();
    context.waits().nanosByVolume().forEach((directory, nanos) -> volumes.add(
        new CacheStatus.VolumeView(directory, TimeUnit.NANOSECONDS.toMicros(nanos) / 1000.0)));
    return volumes;
  }

  @Override
  public BlockStatus block(BlockKey key) {
    ReplicaSnapshot replica = context.replicas().finalized(key);
    CachedBlock cached = replica == null
        ? context.index().cached(key) : context.index().find(replica);
    SsdReport ssd = context.directories().reportOf(key);
    String refusal = refusal(ssd, replica);
    RuleAccount rule = context.rules().rules().ofBlock(key);
    boolean admitted = refusal.isEmpty() && context.decisions().admits(key, rule);
    long reads = reads(key);
    return new BlockStatus(key.toString(),
        replica == null ? null : Long.valueOf(replica.generationStamp()),
        replica == null ? null : Long.valueOf(replica.length()),
        cached == null ? 0 : cached.pages(), pages(cached, replica),
        ssd.directory().toString(), ssd.state().name(),
        reads < 0 ? null : Long.valueOf(reads), admitted,
        refusal.isEmpty() ? decision(key, admitted, rule) : refusal);
  }

  private int pages(CachedBlock cached, ReplicaSnapshot replica) {
    if (cached != null) {
      return cached.layout().pages();
    }
    int size = context.config().pageSize();
    return replica == null ? 0 : Math.toIntExact((replica.length() + size - 1) / size);
  }

  /** @return why pages of the block cannot be filled, whatever the limiter says; empty if so. */
  private String refusal(SsdReport ssd, ReplicaSnapshot replica) {
    if (replica == null) {
      return "there is no finalized replica on a disk of this DataNode";
    }
    if (!context.onOff().isOn()) {
      return "the local cache is off";
    }
    return ssd.state().isFillable() ? ""
        : "the SSD is " + ssd.state() + ": " + ssd.reason();
  }

  private String decision(BlockKey key, boolean admitted, RuleAccount rule) {
    if (rule != null && rule.action() != RuleAction.NORMAL) {
      return "rule " + rule.name() + ": " + rule.action().name().toLowerCase(Locale.ROOT);
    }
    String why = context.limiter().explain(key.blockPoolId(), key.blockId());
    return why.isEmpty() ? "the rate limiter " + (admitted ? "admits" : "does not admit") + " it"
        : why;
  }

  private long reads(BlockKey key) {
    return context.limiter().accesses(key.blockPoolId(), key.blockId());
  }

  @Override
  public List<BlockStatus> top(int n, Order order) {
    Comparator<Heat> coldestFirst = order == Order.READS ? BY_READS : BY_PAGES;
    PriorityQueue<Heat> hottest = new PriorityQueue<>(n + 1, coldestFirst);
    context.index().forEach(block -> {
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

  @Override
  public Warming warm(BlockKey key) {
    ReplicaSnapshot replica = context.replicas().finalized(key);
    String refusal = refusal(context.directories().reportOf(key), replica);
    CachedBlock cached = replica == null ? null : context.index().find(replica);
    int pages = pages(cached, replica);
    int there = cached == null ? 0 : cached.wholePages();
    if (!refusal.isEmpty()) {
      return new Warming(key.toString(), Warming.State.REFUSED, refusal, there, pages);
    }
    Warming.State state = there == pages ? Warming.State.CACHED
        : submit(replica) ? Warming.State.FILLING : Warming.State.BUSY;
    return new Warming(key.toString(), state, "", there, pages);
  }

  private boolean submit(ReplicaSnapshot replica) {
    String volume = context.replicas().volumeOf(replica.key());
    return volume != null && context.fills().submit(FillRequest.order(
        volume, replica, context.rules().rules().ofBlock(replica.key())));
  }

  @Override
  public SettingChange set(String key, String value) {
    if (context.settings() == null) {
      throw new IllegalArgumentException("this local cache takes no settings");
    }
    return context.settings().set(key, value);
  }

  @Override
  public PinStatus pin(String path, String quota) {
    return pins.pin(path, quota);
  }

  @Override
  public PinStatus unpin(String path) {
    return pins.unpin(path);
  }

  @Override
  public List<PinStatus> pins() {
    return context.rules().pins().all();
  }

  @Override
  public RulesView rules() {
    RuleKeeper keeper = context.rules();
    return new RulesView(keeper.file(), keeper.rules().blocks(), keeper.rules().status());
  }

  @Override
  public void reloadRules() {
    try {
      context.rules().reload();
    } catch (BadRulesException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public int clear(BlockKey key, String why) {
    CachedBlock block = context.index().get(key);
    return block == null ? 0 : context.changes().clear(block, why);
  }

  @Override
  public int clearAll(String why) {
    AtomicInteger pages = new AtomicInteger();
    context.index().forEach(block -> pages.addAndGet(context.changes().clear(block, why)));
    return pages.get();
  }
}
