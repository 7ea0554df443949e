/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.RuleStatus;
import io.hdfslocalcache.plugin.rules.BadRulesException;
import io.hdfslocalcache.plugin.rules.BlockLister;
import io.hdfslocalcache.plugin.rules.RuleAccount;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.settings.RuntimeSettings;
import io.hdfslocalcache.plugin.simulation.SimulatedDataNode.State;
import io.hdfslocalcache.plugin.simulation.SsdFaults.Fault;
import io.hdfslocalcache.plugin.ssd.KeptState;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.testing.TestingConfig;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.conf.Configuration;

/**
 * A life of a DataNode with a local cache, all of it drawn from a seed: its configuration, and some
 * runs of the DataNode. In a run, clients read and compare, a writer changes replicas, an operator
 * switches and clears, and SSDs fail. A run ends with a shutdown, or with a power cut after any
 * change of the SSDs; the next one may begin with a rollback, or without some of the SSDs.
 *
 * <p>At any time: no read fails, no byte is wrong, no file is touched while the dataset is locked.
 * When all is quiet and the SSDs are well: each SSD is NORMAL, each page is both on an SSD and in the
 * index or neither, no page is of a replica that is gone, SSDs and memory are within their bounds,
 * and each pin has the pages of its blocks on its account. What was written to a single SSD in all
 * runs is within its budget.
 *
 * <p>A start that reads all copies of the saved state is on or off, and uses the SSDs, as saved last;
 * one that could not, once all can be read, unless a command has changed it since. If it is off, and all copies were
 * read or there is only one, which may be read late, no page is served or filled until a command
 * switches.
 */
final class SimulatedLife {

  /**
   * Time in which all recovers after the faults. A search for leftover files that met faults is
   * repeated after a hundred times its duration.
   */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final int BLOCKS = 20;
  private static final int RULES_MILLIS = 200;
  private static final int READERS = 3;
  private static final int STALL_MILLIS = 3000;
  private static final int FAULT_MILLIS = 2000;
  private static final long BUDGET_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  /** An SSD that hangs keeps deleted data in memory no longer than this. */
  private static final long DELETE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(60);
  /** The write budget fills the SSDs once in this time: little time passes in a life. */
  private static final int BUDGET_SECONDS = 30;
  /** Pages that may be on their way when the budget has just been spent. */
  private static final int PAGES_ON_THEIR_WAY = 4;

  /** How much happens at most: a smaller one may show the same failure. */
  record Size(int runs, int reads, int writes, int orders, int faults) {
    static final Size FULL = new Size(4, 120, 40, 12, 6);
  }

  private final Random random;
  private final Size size;
  private final World world;
  private final Totals totals;
  private final SimulatedDataNode dataNode;
  private final SsdFaults faults;
  private final List<String> ssds;
  /** Others are added by command. */
  private final List<String> configured;
  private final boolean volumeFails;
  private final boolean spends;
  private final long begun = TimeAndThreads.get().nanoTime();
  private final Configuration conf = new Configuration(false);
  private final List<Throwable> failures = new ArrayList<>();
  /** States of the DataNode in this run, each with the number of changes of the SSDs before it. */
  private final List<Dated> history = new ArrayList<>();
  private final LoggedFileSystem tmpfs = LoggedFileSystem.tmpfs();
  private LoggedFileSystem files = new LoggedFileSystem();
  /** Those of this run. */
  private LocalCacheMetrics metrics;
  /** The seed of all writes in the last run. */
  private long writes;
  private boolean isRolledBack;
  /** Bytes that were written to SSDs in all runs, as far as a power cut left them. */
  private long written;
  /** How large the write budget has ever been, in {@link #budget}s. */
  private volatile int mostTimes = 1;
  /** Whether all page files are as they were written. */
  private boolean isSound = true;

  /** Nothing is saved at first. */
  private final LastSaved<Boolean> savedOn = new LastSaved<>(true);
  private final LastSaved<Set<String>> savedSsds;
  /** The SSDs in use, as an operator knows it. */
  private final Set<String> used = new HashSet<>();
  /** Whether a part of the state may be older than what another SSD has. */
  private boolean mayBeOld;
  /** Whether a command has switched, or changed the SSDs, in this run. */
  private boolean isCommanded;
  private boolean isSsdCommanded;
  /** Whether no page may be served or filled, as an earlier run has saved. */
  private volatile boolean staysOff;

  /** @param value null: unknown, from the time when it is being saved or may be lost */
  private record Saved<V>(int changes, V value) {
  }

  /** What a restart must find. */
  private final class LastSaved<V> {
    /** Those of this run, after the one from before. */
    private final List<Saved<V>> inRun = new ArrayList<>();
    /** The last one of the runs before; null: unknown. */
    private V value;

    LastSaved(V first) {
      value = first;
    }

    void begin() {
      inRun.clear();
      put(value);
    }

    void put(V now) {
      inRun.add(new Saved<>(files.changes(), now));
    }

    V last() {
      return inRun.get(inRun.size() - 1).value();
    }

    void end() {
      value = last();
    }

    void cut(int changes) {
      for (Saved<V> one : inRun) {
        if (one.changes() <= changes) {
          value = one.value();
        }
      }
    }

    boolean is(V now) {
      return value == null || value.equals(now) || faults.hadFlipsInState();
    }
  }

  /** @param written bytes that were written to SSDs in this run by then */
  private record Dated(int changes, State state, long written) {
  }

  /** Sums over many lives. */
  static final class Totals {
    final LongAdder runs = new LongAdder();
    final LongAdder reads = new LongAdder();
    final LongAdder bytesFromPages = new LongAdder();
    final LongAdder restored = new LongAdder();
    final LongAdder powerCuts = new LongAdder();
    final LongAdder faults = new LongAdder();

    @Override
    public String toString() {
      return runs + " runs, " + reads + " reads, " + bytesFromPages + " bytes from pages, "
          + restored + " pages restored, " + powerCuts + " power cuts, " + faults + " faults";
    }
  }

  /** @param world in which it is played; null: in real time, with real threads */
  SimulatedLife(long seed, Size size, Totals totals, World world) {
    this.random = new Random(seed);
    this.size = size;
    this.world = world;
    this.totals = totals;
    this.ssds = IntStream.range(0, 1 + random.nextInt(3)).mapToObj(i -> "ssd" + i).toList();
    int page = List.of(4, 8, 16, 64, 4, 8, 16, 64, 256).get(random.nextInt(9)) << 10;
    // Of the largest pages, single parts are cached.
    this.dataNode = page < 256 << 10 ? new SimulatedDataNode(seed, world, 60_000, 4 << 10)
        : new SimulatedDataNode(seed, world, 600_000, 64 << 10);
    this.faults = new SsdFaults(dataNode, world);
    this.volumeFails = random.nextInt(3) == 0;
    conf.setBoolean(LocalCacheKeys.REQUIRE_MOUNT, false);
    this.configured = ssds.subList(0, Math.max(1, ssds.size() - random.nextInt(2)));
    this.savedSsds = new LastSaved<>(Set.copyOf(configured));
    conf.set(LocalCacheKeys.DIRECTORIES, "/" + String.join(",/", configured));
    conf.setLong(LocalCacheKeys.CAPACITY, (long) page * (16 + random.nextInt(40)));
    conf.set(LocalCacheKeys.RESERVED, "0");
    conf.setLong(LocalCacheKeys.PAGE_SIZE, page);
    conf.setLong(LocalCacheKeys.MEMORY_SIZE, random.nextInt(3) == 0 ? 0 : 
        (long) page * (2 + random.nextInt(20)));
    conf.set(LocalCacheKeys.IO_DEADLINE, "100ms");
    conf.set(TestingConfig.PROBE_INTERVAL, "50ms");
    String limiter = List.of("admit-all", "admit-all", "write-budget", Spender.class.getName())
        .get(random.nextInt(4));
    this.spends = limiter.equals(Spender.class.getName());
    conf.set(RateLimiterFactory.CLASS_KEY, limiter);
    conf.setLong(WriteBudgetRateLimit.BUDGET_KEY, budget(1));
  }

  /** Spends the write budget on whatever is read. */
  public static final class Spender extends WriteBudgetRateLimit {

    /** Named by the configuration. */
    public Spender(RateLimiterConfig config, RateLimiterClock clock) {
      super(config, clock);
    }

    @Override
    public boolean admits(String blockPoolId, long blockId) {
      return true;
    }

    @Override
    public boolean admits(String blockPoolId, long blockId, int page) {
      return mayWrite(0);
    }
  }

  /** @return bytes a day that fill all SSDs so many times in some seconds. */
  private long budget(int times) {
    return times * ssds.size() * conf.getLong(LocalCacheKeys.CAPACITY, 0)
        * TimeUnit.DAYS.toSeconds(1) / BUDGET_SECONDS;
  }

  /** Plays it. @throws AssertionError if a promise is broken */
  void play() throws Exception {
    State first = dataNode.state();
    Files.createDirectory(tmpfs.getPath("/shm"));
    int runs = Math.min(size.runs(), 2 + random.nextInt(3));
    for (int run = 0; run < runs; run++) {
      isRolledBack = run > 0 && random.nextInt(3) == 0;
      if (isRolledBack) {
        // To any moment of the last run, or to the beginning of all.
        dataNode.rollBack(switch (history.isEmpty() ? 0 : random.nextInt(4)) {
          case 0 -> first;
          case 1 -> history.get(random.nextInt(history.size())).state();
          default -> history.get(0).state();
        });
      }
      history.clear();
      run();
      totals.runs.increment();
    }
    files.close();
    tmpfs.close();
  }

  private LocalCacheConfig config(boolean restore) throws IOException {
    conf.setBoolean(LocalCacheKeys.RESTORE, restore);
    List<Path> directories = configured.stream().map(ssd -> files.getPath("/" + ssd)).toList();
    return TestingConfig.in(directories, tmpfs.getPath("/shm"), TestingConfig.from(conf));
  }

  private void run() throws Exception {
    files.setFaults(faults);
    savedOn.begin();
    savedSsds.begin();
    isCommanded = false;
    isSsdCommanded = false;
    for (String ssd : ssds) {
      // After a rollback, an SSD that comes back later may have pages of another history.
      if (random.nextInt(isRolledBack ? 2 : 5) == 0) {
        faults.put(ssd, isRolledBack || random.nextBoolean()
            ? random.nextInt(4) == 0 && !configured.contains(ssd) ? Fault.IS_FOREIGN
                : Fault.IS_ABSENT : anyFault());
      }
    }
    metrics = new LocalCacheMetrics();
    OnOff onOff = new OnOff(true, true, metrics);
    int begin = files.changes();
    boolean losesPower = random.nextBoolean();
    LocalCacheConfig config = config(random.nextInt(8) != 0);
    long deadline = config.healthLimits().writeDeadlineNanos();
    long asked = TimeAndThreads.get().nanoTime();
    long closed;
    RuntimeSettings settings = new RuntimeSettings(conf, TimeAndThreads.get()::currentTimeMillis,
        error -> metrics.error(Operation.ADMISSION, error));
    KeptState kept = new KeptState(
        config.directories().stream().map(ssd -> ssd.resolve("dn-uuid")).toList(), null,
        deadline);
    boolean readsAll = world != null && faults.wellNanos() > 0;
    mayBeOld = !readsAll && ssds.size() > 1;
    staysOff = !mayBeOld && Boolean.FALSE.equals(savedOn.value);
    config = settings.open(kept, onOff, "dn-uuid", config);
    checkTook("what is kept", asked, deadline + deadline / 10);
    used.clear();
    used.addAll(names(config.directories()));
    if (readsAll && !(savedOn.is(onOff.isOn()) && savedSsds.is(used))) {
      throw new AssertionError(asSaved(onOff, used));
    }
    long opened = TimeAndThreads.get().nanoTime();
    RuleKeeper rules = new RuleKeeper(
        null, RULES_MILLIS, BLOCKS, config.pageSize(), metrics);
    try (LocalCache cache = new LocalCache(config, onOff, settings.limiter(),
        dataNode, metrics, "dn-uuid", message -> { }, rules, kept)) {
      cache.setSettings(settings);
      NameNode nameNode = new NameNode(random.nextLong());
      rules.start(() -> List.of(nameNode), cache::assignPages);
      checkTook("the start", opened, deadline);
      dataNode.use(cache, faults::wellNanos);
      dataNode.volume().forget();
      history.add(new Dated(files.changes(), dataNode.state(), 0));
      work(cache, onOff, settings);
      checkStaysOff("filled", metrics.total(Event.FILL_WRITTEN_BYTES));
      // Sometimes an SSD is still sick when the DataNode is stopped.
      if (world == null || losesPower || random.nextInt(4) != 0) {
        faults.endAll();
        checkQuiet(cache, onOff);
      }
      totals.restored.add(metrics.total(Event.RESTORED_PAGES));
      if (isSound && !faults.hadFlips() && metrics.total(Event.RESTORE_DROPPED_DAMAGED) > 0) {
        dataNode.violation("sound pages were taken for damaged ones and not restored");
      }
      if (losesPower) {
        cutPower(begin);
      } else {
        savedOn.end();
        savedSsds.end();
        written += metrics.total(Event.FILL_WRITTEN_BYTES);
        cache.shutdownBegins();
        cache.blockPoolRemoved(SimulatedDataNode.POOL, id -> null);
      }
      closed = TimeAndThreads.get().nanoTime();
    }
    checkTook("the stop", closed, CLOSE_NANOS);
    checkBudget(settings);
    faults.endAll();
    if (!dataNode.violations().isEmpty()) {
      throw new AssertionError(dataNode.violations().toString());
    }
  }

  private void checkTook(String what, long since, long most) {
    long nanos = TimeAndThreads.get().nanoTime() - since;
    if (world != null && nanos > most + TimeUnit.SECONDS.toNanos(1)) {
      throw new AssertionError(what + " took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
    }
  }

  private void checkBudget(RuntimeSettings settings) {
    metrics.forEachError((operation, cause, number) -> {
      if (operation == Operation.ADMISSION && number > 0) {
        throw new AssertionError(number + " errors of the rate limiter");
      }
    });
    // With several SSDs, the one that alone knows the last balance may be absent.
    if (spends && ssds.size() == 1 && !faults.hadFlipsInState()) {
      long capacity = conf.getLong(LocalCacheKeys.CAPACITY, 0);
      double seconds = (TimeAndThreads.get().nanoTime() - begun) / 1e9;
      double most = capacity + budget(mostTimes) / (double) TimeUnit.DAYS.toSeconds(1) * seconds
          + PAGES_ON_THEIR_WAY * 2 * conf.getLong(LocalCacheKeys.PAGE_SIZE, 0);
      if (written > most) {
        throw new AssertionError("written: " + written + " bytes, allowed: " + most);
      }
    }
  }

  /** Makes the SSDs and HDDs as they are after the change at which the power went. */
  private void cutPower(int begin) throws IOException {
    int changes = begin + random.nextInt(files.changes() - begin + 1);
    Dated then = history.get(0);
    for (Dated dated : history) {
      if (dated.changes() <= changes) {
        then = dated;
      }
    }
    savedOn.cut(changes);
    savedSsds.cut(changes);
    dataNode.rollBack(then.state());
    written += then.written();
    files = files.afterPowerCut(changes, random.nextBoolean() ? random : null);
    totals.powerCuts.increment();
    isSound = false;
  }

  private interface Step {
    void take(Random own) throws Exception;
  }

  private void work(LocalCache cache, OnOff onOff, RuntimeSettings settings) throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      threads.add(thread("reader", random.nextLong(), size.reads(), own -> read(cache, own)));
    }
    long drawn = random.nextLong();
    // The NameNode gives the same ids and stamps out again, in the same order.
    writes = isRolledBack && random.nextInt(4) != 0 ? writes : drawn;
    threads.add(thread("writer", writes, size.writes(), own -> change(cache, own)));
    threads.add(thread("operator", random.nextLong(), size.orders(),
        own -> order(cache, onOff, settings, own)));
    threads.add(thread("faults", random.nextLong(), size.faults(), this::fault));
    threads.forEach(Thread::start);
    pause(random, 10);
    cache.blockPoolReady(SimulatedDataNode.POOL, () -> 1);
    for (Thread thread : threads) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      AssertionError error = new AssertionError(failures.size() + " failures");
      failures.forEach(error::addSuppressed);
      throw error;
    }
  }

  /** A fault of an SSD, of the data volume, or both; the host's clock may stand still meanwhile. */
  private void fault(Random own) {
    if (world != null && own.nextInt(4) == 0) {
      world.holdClock();
    }
    String ssd = ssds.get(own.nextInt(ssds.size()));
    boolean isOfVolume = volumeFails && own.nextBoolean();
    if (isOfVolume) {
      dataNode.putFault(DataVolume.Fault.values()[own.nextInt(DataVolume.Fault.values().length)],
          anyBlock(own), own);
    }
    if (!isOfVolume || own.nextBoolean()) {
      faults.put(ssd, anyFault(own));
    }
    totals.faults.increment();
    pause(own, world != null && own.nextInt(3) == 0 ? FAULT_MILLIS : 60);
    faults.end(ssd);
    dataNode.volume().end();
    if (world != null) {
      world.releaseClock();
    }
    pause(own, 60);
  }

  private Thread thread(String name, long seed, int steps, Step step) {
    Random own = new Random(seed);
    return TimeAndThreads.get().newThread(name, () -> {
      try {
        for (int i = 0; i < steps; i++) {
          step.take(own);
        }
      } catch (Exception | AssertionError e) {
        synchronized (failures) {
          failures.add(e);
        }
      }
    });
  }

  private Fault anyFault() {
    return anyFault(random);
  }

  /** Any but those that are noticed only at the start of a run. */
  private static Fault anyFault(Random own) {
    return Fault.values()[own.nextInt(Fault.IS_ABSENT.ordinal())];
  }

  private static BlockKey anyBlock(Random own) {
    return SimulatedDataNode.key(own.nextInt(1 + own.nextInt(BLOCKS)));
  }

  private static void pause(Random own, int mostMillis) {
    try {
      TimeAndThreads.get().sleep(
          TimeUnit.MICROSECONDS.toNanos(own.nextInt(1000 * mostMillis)));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void read(LocalCache cache, Random own) throws IOException {
    pause(own, 4);
    long bytes = dataNode.read(anyBlock(own), own, BUDGET_NANOS, () -> {
      pause(own, world != null && own.nextInt(50) == 0 ? STALL_MILLIS : 5);
      checkBounds(cache);
    });
    checkStaysOff("served", bytes);
    totals.bytesFromPages.add(bytes);
    totals.reads.increment();
  }

  /** Memory includes pages that have left it and are still being read. */
  private void checkBounds(LocalCache cache) {
    for (SsdDirectory ssd : cache.directories().all()) {
      if (ssd.usedBytes() > conf.getLong(LocalCacheKeys.CAPACITY, 0)) {
        dataNode.violation(
            ssd.path() + ": " + ssd.usedBytes() + " bytes are more than its capacity");
      }
    }
    if (tmpfs.openBytes() > cache.memory().capacityBytes()) {
      dataNode.violation("memory: " + tmpfs.openBytes() + " of " + cache.memory().capacityBytes());
    }
  }

  private void change(LocalCache cache, Random own) {
    BlockKey key = anyBlock(own);
    switch (own.nextInt(8)) {
      case 0 -> dataNode.append(key, own, () -> pause(own, 5));
      case 1 -> dataNode.truncate(key, own);
      case 2, 3 -> delete(cache, key);
      default -> dataNode.create(key);
    }
    // First the bytes written, so that bytes written meanwhile count as later ones.
    long now = metrics.total(Event.FILL_WRITTEN_BYTES);
    history.add(new Dated(files.changes(), dataNode.state(), now));
    pause(own, 8);
  }

  private void delete(LocalCache cache, BlockKey key) {
    CachedBlock block = cache.index().get(key);
    dataNode.delete(key);
    if (block != null && world != null) {
      try {
        world.sleep(DELETE_NANOS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      for (int page = 0; page < block.layout().pages(); page++) {
        PageBytes found = cache.memory().find(block, page);
        if (found != null) {
          found.close();
          dataNode.violation("deleted, and still in memory: " + block);
        }
      }
    }
  }

  private void order(LocalCache cache, OnOff onOff, RuntimeSettings settings, Random own) {
    CachedBlock block = cache.index().get(anyBlock(own));
    String ssd = ssds.get(own.nextInt(ssds.size()));
    switch (own.nextInt(9)) {
      case 0 -> switchOnOff(onOff, own);
      case 1 -> command(cache, onOff, own.nextInt(4), ssd);
      case 2 -> set(settings, own);
      case 3 -> pinOrUnpin(cache, own);
      case 4 -> warm(cache, own);
      default -> {
        if (block != null) {
          cache.changes().clear(block, "a random order");
        }
      }
    }
    pause(own, 20);
  }

  private void switchOnOff(OnOff onOff, Random own) {
    checkStaysOff("filled", metrics.total(Event.FILL_WRITTEN_BYTES));
    staysOff = false;
    isCommanded = true;
    boolean on = !onOff.isOn();
    if (own.nextInt(3) == 0) {
      savedOn.put(null);
      try {
        onOff.keep(on);
      } catch (IllegalArgumentException e) {
        // No SSD could save it in time. One may have, if the power goes now.
        return;
      }
      savedOn.put(onOff.doubt().isEmpty() ? on : null);
    }
    onOff.setOn(on, "a random order");
  }

  private String asSaved(OnOff onOff, Set<String> inUse) {
    return "saved before the start: on is " + savedOn.value + ", the SSDs are " + savedSsds.value
        + ", now: on is " + onOff.isOn() + ", the SSDs are " + inUse;
  }

  private static Set<String> names(List<Path> ssds) {
    return ssds.stream().map(ssd -> ssd.getFileName().toString()).collect(Collectors.toSet());
  }

  private void checkStaysOff(String what, long bytes) {
    if (staysOff && bytes > 0 && !faults.hadFlipsInState()) {
      dataNode.violation("off as saved, and " + what + ": " + bytes + " bytes");
    }
  }

  /** Some changes are refused: without a budget, or when no SSD can keep them. */
  private void set(RuntimeSettings settings, Random own) {
    try {
      if (own.nextBoolean()) {
        int times = 1 + own.nextInt(2);
        mostTimes = Math.max(mostTimes, times);
        settings.set("write.budget", String.valueOf(budget(times)), own.nextBoolean());
      } else {
        settings.reset("write.budget");
      }
    } catch (IllegalArgumentException e) {
      // It was refused: nothing has changed.
    }
  }

  private void warm(LocalCache cache, Random own) {
    ReplicaSnapshot replica = dataNode.finalized(anyBlock(own));
    if (replica != null) {
      cache.fills().submit(
          FillRequest.order(cache.volumeOf(replica.key()), replica, null));
    }
  }

  /** Some commands are refused: for no pin, for one too large, or if it cannot be kept. */
  private void pinOrUnpin(LocalCache cache, Random own) {
    String path = "/" + own.nextInt(NameNode.DIRECTORIES);
    long capacity = ssds.size() * conf.getLong(LocalCacheKeys.CAPACITY, 0);
    try {
      if (own.nextInt(3) == 0) {
        cache.pins().unpin(path);
      } else {
        cache.pins().pin(path, own.nextBoolean() ? "default" : String.valueOf(capacity / 2), capacity,
            (int) conf.getLong(LocalCacheKeys.PAGE_SIZE, 0));
      }
    } catch (BadRulesException e) {
      // It was refused: nothing has changed.
    }
  }

  /** Has the blocks in some directories, and fails now and then. */
  private final class NameNode implements BlockLister {
    private static final int DIRECTORIES = 3;

    private final Random own;

    NameNode(long seed) {
      this.own = new Random(seed);
    }

    @Override
    public String namespace() {
      return "namespace";
    }

    @Override
    public void list(List<String> paths, Found found) throws IOException {
      pause(own, 20);
      if (own.nextInt(8) == 0) {
        throw new IOException("the NameNode does not answer");
      }
      for (int block = 0; block < BLOCKS; block++) {
        ReplicaSnapshot replica = dataNode.finalized(SimulatedDataNode.key(block));
        if (replica != null && paths.contains("/" + block % DIRECTORIES)) {
          found.block(SimulatedDataNode.POOL, block, replica.length());
        }
      }
    }
  }

  /** @return for each rule whose account is wrong, its pages and those of its blocks. */
  private static List<String> wrongAccounts(LocalCache cache) {
    cache.assignPages();
    List<String> wrong = new ArrayList<>();
    for (RuleStatus rule : cache.rules().rules().status()) {
      long[] pages = new long[1];
      cache.index().forEach(block -> {
        RuleAccount account = cache.rules().rules().ofBlock(block.snapshot().key());
        if (account != null && account.name().equals(rule.name())) {
          pages[0] += IntStream.range(0, block.layout().pages())
              .filter(page -> block.parts(page) != 0).count();
        }
      });
      if (rule.pages() != pages[0]) {
        wrong.add(rule.name() + ": " + rule.pages() + " and not " + pages[0]);
      }
    }
    return wrong;
  }

  /** Some commands are refused: for what is done already, or for an SSD that fails. */
  private void command(LocalCache cache, OnOff onOff, int action, String ssd) {
    Set<String> before = savedSsds.last();
    savedSsds.put(null);
    try {
      String name = List.of("add", "replace", "drain", "remove").get(action);
      cache.ssdCommands().run(name, "/" + ssd);
    } catch (IllegalArgumentException e) {
      // It was refused: nothing has changed.
      savedSsds.put(before);
      return;
    }
    isSsdCommanded = true;
    if (action < 2) {
      used.add(ssd);
    } else {
      used.remove(ssd);
    }
    // That none is in use is not saved.
    savedSsds.put(mayBeOld || before == null || !onOff.doubt().isEmpty() ? null
        : used.isEmpty() ? before : Set.copyOf(used));
  }

  private void checkQuiet(LocalCache cache, OnOff onOff) throws IOException {
    await(() -> asSaved(onOff, names(cache.directories().inUse())),
        () -> isSsdCommanded || savedSsds.is(names(cache.directories().inUse())));
    // Fails while an attempt to open it, begun before its removal, goes on.
    await(() -> "all SSDs are used, and not only " + cache.directories().inUse(), () -> {
      ssds.forEach(ssd -> command(cache, onOff, 0, ssd));
      if (cache.directories().all().size() < ssds.size() || !onOff.doubt().isEmpty()) {
        return false;
      }
      // One that was read last may have saved another list, which is used now and not later.
      cache.ssdCommands().restore();
      return names(cache.directories().inUse()).equals(Set.copyOf(ssds));
    });
    used.addAll(ssds);
    savedSsds.put(Set.copyOf(ssds));
    await(() -> "all SSDs are NORMAL: " + cache.directories().reports(),
        () -> cache.directories().all().size() == ssds.size()
            && cache.directories().all().stream()
                .allMatch(ssd -> ssd.io().health().state() == SsdState.NORMAL));
    await(() -> asSaved(onOff, used), () -> isCommanded || savedOn.is(onOff.isOn()));
    staysOff = false;
    onOff.setOn(true, "end of the run");
    await(() -> "restore", () -> !cache.restore().isInProgress());
    for (int block = 0; block < BLOCKS; block++) {
      dataNode.read(SimulatedDataNode.key(block), random, BUDGET_NANOS, () -> { });
    }
    await(() -> "fills", () -> !cache.isFilling());
    await(() -> "removals", () -> cache.changes().isIdle());
    await(() -> "a file for each page, and a page for each file: " + difference(cache),
        () -> difference(cache).isEmpty());
    await(() -> "pages on the accounts of pins: " + wrongAccounts(cache),
        () -> wrongAccounts(cache).isEmpty());
    await(() -> "only pages of what there is: " + ofNoReplica(cache),
        () -> ofNoReplica(cache).isEmpty());
    // A page that moves into memory counts before its file is opened.
    await(() -> "memory: " + tmpfs.openBytes() + " bytes, and not " + cache.memory().usedBytes(),
        () -> tmpfs.openBytes() == cache.memory().usedBytes());
    checkBounds(cache);
    if (!names(cache.directories().inUse()).equals(Set.copyOf(ssds))) {
      dataNode.violation("all SSDs were in use, now " + cache.directories().inUse());
    }
    if (!dataNode.violations().isEmpty()) {
      throw new AssertionError(dataNode.violations().toString());
    }
  }

  /**
   * @return pages that are not of the current replica, which is named. Pages from before a restart
   *     are compared with it at their first read, so until then they may be of another one
   */
  private List<String> ofNoReplica(LocalCache cache) {
    List<String> pages = new ArrayList<>();
    for (Path page : pageFiles(cache)) {
      String name = page.getParent().getFileName().toString();
      BlockKey key = ReplicaIdentity.blockOf(name);
      CachedBlock block = cache.index().get(key);
      ReplicaSnapshot now = dataNode.finalized(key);
      if (block != null && !block.isProven() && block.snapshot().equals(now)) {
        continue;
      }
      String replica = "none";
      try {
        replica = now == null ? replica : dataNode.identity(now).fileId(now);
      } catch (IOException e) {
        // It is gone.
      }
      if (!name.equals(replica)) {
        pages.add(name + "/" + page.getFileName() + ", replica: " + replica);
      }
    }
    return pages;
  }

  /** @return pages with a file that are not in the index (+), and the other way around (-). */
  private static Set<String> difference(LocalCache cache) {
    Set<String> files = pageFiles(cache).stream()
        .map(file -> file.getParent().getFileName() + "/" + file.getFileName())
        .collect(Collectors.toCollection(TreeSet::new));
    Set<String> pages = new TreeSet<>();
    cache.index().forEach(block -> IntStream.range(0, block.layout().pages())
        .filter(page -> block.parts(page) != 0)
        .forEach(page -> pages.add(block.fileId() + "/" + page)));
    Set<String> different = new TreeSet<>();
    files.stream().filter(file -> !pages.contains(file)).forEach(file -> different.add("+" + file));
    pages.stream().filter(page -> !files.contains(page)).forEach(page -> different.add("-" + page));
    return different;
  }

  private static void await(Supplier<String> what, BooleanSupplier condition) {
    long end = TimeAndThreads.get().nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (TimeAndThreads.get().nanoTime() > end) {
        throw new AssertionError("never came true: " + what.get());
      }
      try {
        TimeAndThreads.get().sleep(TimeUnit.MILLISECONDS.toNanos(10));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static List<Path> pageFiles(LocalCache cache) {
    List<Path> found = new ArrayList<>();
    for (SsdDirectory ssd : cache.directories().all()) {
      try (Stream<Path> below = Files.walk(ssd.path().resolve("dn-uuid/LOCAL"))) {
        below.filter(Files::isRegularFile).forEach(found::add);
      } catch (UncheckedIOException e) {
        // A file was deleted meanwhile.
        return pageFiles(cache);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
    return found;
  }
}
