/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;


import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.hdfslocalcache.plugin.health.Rounds;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the rules up to date in its own thread: checks the rules file for changes, and lists the
 * blocks of the rules' paths at the NameNodes.
 */
public final class RuleKeeper implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(RuleKeeper.class);
  private static final String STAY = "the previous rules stay in force";
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final double SPREAD = 0.1;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Longest wait of fills for the first look after a start. */
  private static final long FIRST_LOOK_NANOS = TimeUnit.SECONDS.toNanos(30);
  /** Time between two looks until then. */
  private static final long SOON_MILLIS = 2000;

  private final Rules rules = new Rules();
  private final RuleFile file;
  private final long intervalMillis;
  private final LocalCacheMetrics metrics;
  private final PathLookup lookup;
  /** Held while rules are applied. */
  private final Object changing = new Object();
  private RuleSet ofFile = RuleSet.NONE;
  private List<Rule> pinned = List.of();
  /** Why the file was refused when it was last read; empty if it was not. */
  private volatile String ofFileRefused = "";
  /** The rules of the file if there is no room for them beside the pins; null: there is. */
  private RuleSet noRoomFor;
  /** Why the pins alone are in force; empty if they are not alone. */
  private volatile String pinsAlone = "";
  private volatile RuleSet lookedUp = RuleSet.NONE;
  /** How often a listing was ordered; one that began before does not count. */
  private int orders;
  private volatile PathLookup.Answers answers =
      new PathLookup.Answers(List.of(), Set.of(), false);
  private Supplier<List<BlockLister>> listers;
  private Runnable assign = () -> { };
  private Thread thread;
  private boolean wanted;
  /** Completed when a round is wanted. */
  private CompletableFuture<Void> woken = new CompletableFuture<>();
  private final SplittableRandom random = new SplittableRandom(TimeAndThreads.get().nanoTime());

  /**
   * Reads the rules, and applies those for clients' names.
   *
   * @param file the file; null: no rules, now or later
   * @param intervalMillis time between two checks of the file and the NameNodes
   * @param maxBlocks the most blocks of rules' paths to remember
   * @param pageSize bytes of data in a page
   * @throws BadRulesException if the file cannot be used
   */
  public RuleKeeper(Path file, long intervalMillis, int maxBlocks, int pageSize,
      LocalCacheMetrics metrics) throws BadRulesException {
    this.file = file == null ? null : new RuleFile(file);
    this.intervalMillis = intervalMillis;
    this.metrics = metrics;
    this.lookup = new PathLookup(rules, maxBlocks, pageSize, metrics);
    if (this.file != null) {
      ofFile = this.file.read();
      rules.use(ofFile);
    }
  }

  /**
   * @return whether every NameNode was asked for the blocks of the rules in force, at least one
   *     answered, and pages are assigned. Those that did not list all are {@link #notListed}
   */
  public boolean isLookedUp() {
    return lookedUp == rules.set();
  }

  /**
   * @return the namespaces whose NameNodes did not list all blocks when they were last asked. The
   *     next round asks them again
   */
  public List<String> notListed() {
    return answers.notListed();
  }

  /** @return whether a NameNode refused a path of a rule when it was last asked. */
  boolean isRefused(String rule) {
    return answers.refused().contains(rule);
  }

  /** @return a keeper without rules. */
  public static RuleKeeper none() {
    try {
      return new RuleKeeper(null, 0, 0, 0, null);
    } catch (BadRulesException e) {
      throw new AssertionError(e);
    }
  }

  /** @return the rules file; empty if there is none. */
  public String file() {
    return file == null ? "" : file.path().toString();
  }

  /** @return why the rules of the file, as it is now, are not in force; empty if they are. */
  public String refusal() {
    String refused = ofFileRefused;
    return refused.isEmpty() ? pinsAlone : refused;
  }

  /** @return the rules in force. */
  public Rules rules() {
    return rules;
  }

  /**
   * Starts checking the file and the paths. Called again, it looks at both soon: the DataNode
   * knows more replicas.
   *
   * @param newListers gives one for each namespace. It is asked in every round with paths: the
   *     DataNode may serve others by then. They are closed at the round's end
   * @param newAssign is run after every round: pages may have another owner
   */
  public synchronized void start(Supplier<List<BlockLister>> newListers, Runnable newAssign) {
    listers = newListers;
    assign = newAssign;
    forgetLook();
    if (rules.set().hasPaths()) {
      rules.expectPages(TimeAndThreads.get().nanoTime() + FIRST_LOOK_NANOS);
    }
    if (thread != null) {
      lookSoon();
    } else if (file != null || rules.set().size() > 0) {
      begin();
    }
  }

  /** Lists the paths again soon. Until then they are not {@link #isLookedUp}. */
  synchronized void listAgain() {
    forgetLook();
    lookSoon();
  }

  private void forgetLook() {
    orders++;
    if (rules.set().hasPaths()) {
      lookedUp = null;
    }
  }

  private synchronized void begin() {
    if (thread == null && listers != null) {
      Thread started = TimeAndThreads.get().newThread(this::run);
      started.setName("local-cache-rules");
      started.start();
      // Set only now: if the start failed, the next command retries.
      thread = started;
    }
  }

  /**
   * Applies pins. They come before the rules of the file: if there is no room for both, they alone are
   * in force until the file or the pins change.
   *
   * @throws BadRulesException if the pins alone are not possible; nothing was changed
   */
  void usePins(List<Rule> newPins) throws BadRulesException {
    synchronized (changing) {
      RuleSet alone = RuleSet.of(newPins, RuleSet.NONE);
      try {
        rules.use(beside(newPins));
        pinsAlone = "";
      } catch (BadRulesException e) {
        rules.use(alone);
        pinsAlone = e.getMessage();
        refused("the rules of " + file() + " are not in force", e);
      }
      pinned = List.copyOf(newPins);
    }
    lookSoon();
  }

  /** With the file that there was no room for, if there is now. */
  private RuleSet beside(List<Rule> newPins) throws BadRulesException {
    if (noRoomFor != null) {
      try {
        RuleSet all = RuleSet.of(newPins, noRoomFor);
        ofFile = noRoomFor;
        noRoomFor = null;
        ofFileRefused = "";
        taken(ofFile, "there is room beside the pins");
        return all;
      } catch (BadRulesException e) {
        // There is still none.
      }
    }
    return RuleSet.of(newPins, ofFile);
  }

  /** @throws BadRulesException if these pins conflict with the rules of the file */
  void checkPins(List<Rule> newPins) throws BadRulesException {
    synchronized (changing) {
      RuleSet.of(newPins, ofFile);
    }
  }

  private void run() {
    Rounds look = new Rounds("looking up the paths of rules", this::look);
    try {
      while (true) {
        look.run();
        await(endOfRound());
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void look() {
    reloadIfChanged();
    int order = orders();
    RuleSet set = rules.set();
    List<BlockLister> all = set.hasPaths() ? listers.get() : List.of();
    try {
      PathLookup.Answers now = lookup.resolve(set, all);
      answers = now;
      assign.run();
      // One that is down, or a path that is refused, must not hide what is known.
      if (!set.hasPaths() || now.isAnswered()) {
        lookedUp(set, order, now.notListed().isEmpty());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      all.forEach(lister -> IOUtils.cleanupWithLogger(LOG, lister));
    }
  }

  private synchronized int orders() {
    return orders;
  }

  /** @param order if there was another since, replicas may have been missing */
  private synchronized void lookedUp(RuleSet set, int order, boolean byAll) {
    if (order == orders) {
      lookedUp = set;
      if (byAll) {
        rules.knowPages(set);
      }
    }
  }

  private synchronized long endOfRound() {
    // Spreads DataNodes that were started together, so that they do not ask the NameNode at once.
    double spread = 1 + SPREAD * (2 * random.nextDouble() - 1);
    double millis = rules.knowsPages() ? intervalMillis : Math.min(intervalMillis, SOON_MILLIS);
    return TimeAndThreads.get().nanoTime() + (long) (millis * spread * NANOS_PER_MILLI);
  }

  /** Waits until the next round is due. */
  private void await(long end) throws InterruptedException {
    do {
      long left = (end - TimeAndThreads.get().nanoTime()) / NANOS_PER_MILLI;
      TimeAndThreads.get().isDoneIn(woken(), Math.max(0, left) * NANOS_PER_MILLI);
    } while (!isDue(end));
  }

  private synchronized CompletableFuture<Void> woken() {
    return woken;
  }

  private synchronized boolean isDue(long end) {
    boolean isDue = wanted || end - TimeAndThreads.get().nanoTime() <= NANOS_PER_MILLI;
    if (isDue) {
      wanted = false;
      woken = new CompletableFuture<>();
    }
    return isDue;
  }

  private void reloadIfChanged() {
    if (file == null) {
      return;
    }
    try {
      use(false);
    } catch (BadRulesException e) {
      // Said already.
    }
  }

  private void use(boolean isCommanded) throws BadRulesException {
    try {
      RuleSet set = read(isCommanded);
      if (set != null) {
        use(set, isCommanded ? "by command" : "changed");
      }
    } catch (BadRulesException e) {
      refused(STAY, e);
      throw e;
    }
  }

  /** @return null if the file has not changed, unless it is read by command */
  private RuleSet read(boolean isCommanded) throws BadRulesException {
    try {
      return isCommanded ? file.read() : file.readIfChanged();
    } catch (BadRulesException e) {
      synchronized (changing) {
        noRoomFor = null;
        ofFileRefused = e.getMessage();
      }
      throw e;
    }
  }

  private void use(RuleSet set, String why) throws BadRulesException {
    synchronized (changing) {
      try {
        rules.use(RuleSet.of(pinned, set));
      } catch (BadRulesException e) {
        noRoomFor = set;
        ofFileRefused = e.getMessage();
        throw e;
      }
      noRoomFor = null;
      ofFile = set;
      ofFileRefused = "";
      pinsAlone = "";
    }
    taken(set, why);
  }

  private void taken(RuleSet set, String why) {
    metrics.count(Event.RULES_LOADED);
    metrics.recent().add(set.size() + " rules are in force (" + why + ")");
    LOG.info("Local cache: {} rules of {} are in force ({})", set.size(), file.path(), why);
  }

  private void refused(String what, BadRulesException e) {
    metrics.count(Event.RULES_REFUSED);
    metrics.recent().add(what + ": " + e.getMessage());
    LOG.warn("Local cache: {}: {}", what, e.getMessage());
  }

  /**
   * Reads the file now, even if unchanged, and schedules the lookup of its paths.
   *
   * @throws BadRulesException if it is not valid; the previous rules stay in force
   */
  public void reload() throws BadRulesException {
    if (file == null) {
      throw new BadRulesException("dfs.datanode.local.cache.rules.file", "is not set", null);
    }
    use(true);
    lookSoon();
  }

  private synchronized void lookSoon() {
    wanted = true;
    woken.complete(null);
    begin();
  }

  @Override
  public void close() {
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null) {
      running.interrupt();
      try {
        TimeAndThreads.get().join(running, CLOSE_NANOS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
