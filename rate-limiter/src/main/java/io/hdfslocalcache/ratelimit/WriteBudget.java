/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.hdfslocalcache.time.TimeAndThreads;

/**
 * The account of bytes that may be written to the SSDs: a credit, enough to fill them once, and an income per day. A page may be written while there is a balance; what was written is
 * taken from it. A page on its way reserves as many bytes as the longest page so far, until it is
 * written, or for a minute or two if it is not. So all writes since the SSDs were new are never more
 * than credit + income x time, but for a page.
 *
 * <p>Income that is not spent is kept, up to a day's worth beside the credit: a quiet night serves
 * the morning, and a quiet month does not wear the SSDs out in a day.
 *
 * <p>The balance survives a restart, and a crash. Money is drawn from the saved balance before it
 * is spent, a thousandth at a time and again when half of it is spent: what a crash finds drawn and
 * not spent is lost, and nothing is ever spent twice. Where the balance cannot be saved nothing is
 * written, and nothing comes in while the DataNode is down. It is saved by a thread of its own: those
 * who ask are clients' threads, which never wait for an SSD.
 */
final class WriteBudget {
  private static final double MILLIS_PER_DAY = 86_400_000;
  private static final int DRAWS = 1000;
  private static final long RETRY_MILLIS = 10_000;
  private static final long RESERVED_MILLIS = 60_000;
  private static final long CLOSE_MILLIS = 5_000;
  private static final long NEVER = Long.MIN_VALUE / 2;
  private static final String BALANCE = "Balance";
  private static final String CREDIT = "Credit";
  private static final String WRITTEN = "Written";
  private static final Logger LOG = System.getLogger(WriteBudget.class.getName());

  private long capacity;
  /** What was given in all to fill the SSDs. It never shrinks: nobody gets a second credit. */
  private long credit;
  private volatile long perDay;
  private final RateLimiterClock clock;
  private final Executor background;
  /** Held while saving, without the monitor that everyone else takes. */
  private final ReentrantLock saving = new ReentrantLock();
  private StateFile state;
  private double balance;
  private double drawn;
  private long written;
  private long settled;
  private long longestPage;
  /** Bytes of pages on their way: of those that may be written since a time, and those before. */
  private long reserved;
  private long reservedBefore;
  private long reservedSince;
  /** When the balance could not be saved last, unless it could be since. */
  private volatile long saveFailed = NEVER;
  private volatile boolean closed;

  /**
   * Opens an account with nothing in it, for SSDs of which nothing is known.
   *
   * @param clock the time
   */
  WriteBudget(RateLimiterClock clock) {
    this(clock, WriteBudget::start);
  }

  /** The same. @param background saves the balance */
  WriteBudget(RateLimiterClock clock, Executor background) {
    this.clock = clock;
    this.background = background;
    this.drawn = Double.POSITIVE_INFINITY;
    this.settled = clock.millis();
    this.reservedSince = settled;
  }

  private static Thread start(Runnable task) {
    Thread thread = TimeAndThreads.get().newThread("local-cache-write-budget", task);
    thread.start();
    return thread;
  }

  /**
   * Goes on with the account that is saved there, if there is one, and saves it there. Of several,
   * because SSDs were absent in turn, the one with the lowest balance counts: each may have been
   * spent from while the others were not there.
   */
  void restore(StateFile file) {
    List<Map<String, Long>> copies;
    try {
      copies = file.load();
    } catch (IOException e) {
      LOG.log(Level.WARNING,
          "Cannot read the balance of the write budget; it starts at 0: " + e.getMessage());
      copies = List.of(Map.of(BALANCE, 0L));
    }
    goOn(file, copies);
    draw();
  }

  private synchronized void goOn(StateFile file, List<Map<String, Long>> copies) {
    settle();
    boolean isFirst = state == null;
    // Nothing comes in while the DataNode is down: the latest copy is as old as the restart.
    long downMillis = isFirst
        ? copies.stream().mapToLong(copy -> copy.getOrDefault(StateFile.AGE, 0L)).min().orElse(0)
        : 0;
    // What is drawn is in the balance still, and in no copy.
    double notInCopies = isFirst ? 0 : Math.max(0, drawn);
    double least = isFirst && !copies.isEmpty()
        ? Double.POSITIVE_INFINITY : balance - notInCopies;
    long most = credit;
    for (Map<String, Long> copy : copies) {
      // An SSD that is new gets its credit; one that is gone leaves no debt.
      long before = copy.getOrDefault(CREDIT, credit);
      double income = income(copy.getOrDefault(StateFile.AGE, 0L) - downMillis);
      least = Math.min(
          least, copy.getOrDefault(BALANCE, 0L) + Math.max(0, credit - before) + income);
      most = Math.max(most, before);
      written = Math.max(written, copy.getOrDefault(WRITTEN, 0L));
    }
    balance = Math.min(least + notInCopies, most());
    credit = most;
    if (isFirst) {
      state = file;
      drawn = 0;
    }
  }

  private double income(long millis) {
    return millis / MILLIS_PER_DAY * perDay;
  }

  /**
   * Tells whether a page may be written now, which reserves room for it. Waits for nothing: no, if
   * nothing is drawn.
   */
  boolean mayWrite() {
    return reserve() || drawAhead() && reserve();
  }

  private synchronized boolean reserve() {
    settle();
    if (balance <= reserved + reservedBefore || drawn <= 0) {
      return false;
    }
    reserved += longestPage;
    return true;
  }

  /** Takes what was written. */
  void spend(long bytes) {
    synchronized (this) {
      release();
      longestPage = Math.max(longestPage, bytes);
      written += bytes;
      balance -= bytes;
      drawn -= bytes;
    }
    // Before all is spent: while it is saved, those who ask find what is left.
    if (!isDrawn(most() / DRAWS / 2)) {
      drawAhead();
    }
  }

  private void release() {
    if (reservedBefore > 0) {
      reservedBefore = Math.max(0, reservedBefore - longestPage);
    } else {
      reserved = Math.max(0, reserved - longestPage);
    }
  }

  private synchronized boolean isDrawn(double more) {
    settle();
    return balance > 0 && drawn > more;
  }

  /** @return whether a page may be written */
  private boolean drawAhead() {
    if (balance() > 0 && !saving.isLocked() && clock.millis() - saveFailed >= RETRY_MILLIS) {
      background.execute(this::draw);
    }
    return isDrawn(0);
  }

  /** Saves the balance with what was drawn and not spent; does not wait long for a sick SSD. */
  void close() {
    closed = true;
    // After a draw that is being saved, whose file would be the older one.
    Thread last = start(this::saveLast);
    try {
      TimeAndThreads.get().join(last, TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** @return the balance in bytes; below 0 by a few pages at most. */
  synchronized double balance() {
    settle();
    return balance;
  }

  /**
   * Tells how long nothing may be written because all is spent.
   *
   * @return milliseconds; 0 if there is a balance, {@link Long#MAX_VALUE} if nothing comes in
   */
  synchronized long spentForMillis() {
    settle();
    return balance > 0 ? 0 : perDay == 0 ? Long.MAX_VALUE
        : (long) (-balance / perDay * MILLIS_PER_DAY) + 1;
  }

  /** @return whether nothing may be written because the balance could not be saved. */
  synchronized boolean isNotSaved() {
    return drawn <= 0 && saveFailed != NEVER;
  }

  /** @return the bytes of the longest page that was written since the start. */
  synchronized long longestPage() {
    return longestPage;
  }

  /** @return the bytes written since the SSDs were new, as far as the state was kept. */
  synchronized long written() {
    return written;
  }

  /** @return the income in bytes a day. */
  long perDay() {
    return perDay;
  }

  /**
   * Changes capacity and income, in bytes. What has come in so far stays. Given on top is the credit
   * for a capacity that is greater than it ever was.
   */
  synchronized void set(long newCapacity, long newPerDay) {
    settle();
    capacity = newCapacity;
    perDay = newPerDay;
    balance += Math.max(0, newCapacity - credit);
    credit = Math.max(credit, newCapacity);
  }

  private double most() {
    return (double) capacity + perDay;
  }

  private void draw() {
    if (balance() > 0 && saving.tryLock()) {
      try {
        if (!closed) {
          save(most() / DRAWS);
        }
      } finally {
        saving.unlock();
      }
    }
  }

  private void saveLast() {
    saving.lock();
    try {
      save(0);
    } finally {
      saving.unlock();
    }
  }

  /** @param toDraw what may be spent after this, all in all */
  private void save(double toDraw) {
    Map<String, Long> values;
    double before;
    synchronized (this) {
      if (state == null) {
        return;
      }
      settle();
      before = drawn;
      values = Map.of(BALANCE, (long) (balance - toDraw), CREDIT, credit, WRITTEN, written);
    }
    try {
      state.save(values);
    } catch (IOException e) {
      // Once: it is tried again and again, and while no SSD is in use there is nothing to save to.
      if (saveFailed == NEVER) {
        LOG.log(Level.WARNING, "Cannot save the balance of the write budget; no page is admitted "
            + "until it is saved: " + e.getMessage());
      }
      saveFailed = clock.millis();
      return;
    }
    saveFailed = NEVER;
    synchronized (this) {
      // Pages that were on their way meanwhile have been taken from it.
      drawn += toDraw - before;
    }
  }

  private void settle() {
    long now = clock.millis();
    if (now - reservedSince >= RESERVED_MILLIS) {
      reservedBefore = now - reservedSince < 2 * RESERVED_MILLIS ? reserved : 0;
      reserved = 0;
      reservedSince = now;
    }
    if (now > settled) {
      balance = Math.max(balance, Math.min(balance + income(now - settled), most()));
      settled = now;
    }
  }
}
