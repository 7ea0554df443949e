/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The account of bytes that may be written to the SSDs: an opening credit, enough to fill them
 * once, and an income per day. A page may be written while there is a balance; what was written is
 * taken from it. So all writes since the SSDs were new are never more than credit + income x time,
 * but for the pages that were on their way when the balance ended.
 *
 * <p>Income that is not spent is kept, up to a day's worth beside the credit: a quiet night serves
 * the morning, and a quiet month does not wear the SSDs out in a day.
 *
 * <p>The balance survives a restart, and a crash. Money is drawn from the saved balance before it
 * is spent, a thousandth at a time and again when half of it is spent: what a crash finds drawn and
 * not spent is lost, and nothing is ever spent twice. Where the balance cannot be saved nothing is
 * written, and nothing comes in while the DataNode is down.
 */
final class WriteBudget {
  private static final double MILLIS_PER_DAY = 86_400_000;
  private static final int DRAWS = 1000;
  private static final long RETRY_MILLIS = 10_000;
  private static final long CLOSE_MILLIS = 5_000;
  private static final String BALANCE = "Balance";
  private static final String CREDIT = "Credit";
  private static final String WRITTEN = "Written";
  private static final Logger LOG = System.getLogger(WriteBudget.class.getName());

  private final long credit;
  private volatile long perDay;
  private final RateLimiterClock clock;
  /** Held while saving, without the monitor that everyone else takes. */
  private final ReentrantLock saving = new ReentrantLock();
  private StateFile state;
  private double balance;
  private double drawn;
  private long written;
  private long settled;
  private volatile long saveFailed = Long.MIN_VALUE / 2;

  /**
   * Opens the account of new SSDs.
   *
   * @param credit bytes to begin with
   * @param perDay bytes that come in each day
   * @param clock the time
   */
  WriteBudget(long credit, long perDay, RateLimiterClock clock) {
    this.credit = credit;
    this.perDay = perDay;
    this.clock = clock;
    this.balance = credit;
    this.drawn = Double.POSITIVE_INFINITY;
    this.settled = clock.millis();
  }

  /** Goes on with the account that is saved there, if there is one, and saves it there. */
  synchronized void restore(StateFile file) {
    state = file;
    drawn = 0;
    try {
      Map<String, Long> saved = file.load();
      if (!saved.isEmpty()) {
        // An SSD that is new gets its credit; one that is gone leaves no debt.
        long grown = Math.max(0, credit - saved.getOrDefault(CREDIT, credit));
        balance = Math.min(saved.getOrDefault(BALANCE, 0L) + grown, most());
        written = saved.getOrDefault(WRITTEN, 0L);
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "The balance of the write budget is lost; it begins at 0", e);
      balance = 0;
    }
  }

  /**
   * Tells whether a page may be written now. May save the balance, and so may wait for an SSD, but
   * only for the first page, or if pages are written faster than the balance can be saved. Nobody
   * else waits with it: other pages are refused until it is saved.
   */
  boolean mayWrite() {
    synchronized (this) {
      settle();
      if (balance <= 0 || drawn > 0) {
        return balance > 0;
      }
    }
    if (!saving.tryLock()) {
      return false;
    }
    try {
      return draw();
    } finally {
      saving.unlock();
    }
  }

  /**
   * Takes what was written. The thread that writes pages may wait for an SSD, so it draws again before
   * all is spent: those who ask find it drawn.
   */
  void spend(long bytes) {
    synchronized (this) {
      written += bytes;
      balance -= bytes;
      drawn -= bytes;
      settle();
      if (drawn > most() / DRAWS / 2 || balance <= 0) {
        return;
      }
    }
    if (saving.tryLock()) {
      try {
        draw();
      } finally {
        saving.unlock();
      }
    }
  }

  /** Saves the balance with what was drawn and not spent; does not wait long for a sick SSD. */
  void close() {
    Thread last = new Thread(() -> save(0), "local-cache-write-budget");
    last.setDaemon(true);
    last.start();
    try {
      last.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the balance in bytes; below 0 by a few pages at most. */
  synchronized double balance() {
    settle();
    return balance;
  }

  /** Returns the bytes written since the SSDs were new, as far as the state was kept. */
  synchronized long written() {
    return written;
  }

  /** Returns the income in bytes a day. */
  long perDay() {
    return perDay;
  }

  /** Changes the income. What has come in so far stays, and nothing is given on top. */
  synchronized void setPerDay(long bytes) {
    settle();
    perDay = bytes;
  }

  private double most() {
    return (double) credit + perDay;
  }

  private boolean draw() {
    if (clock.millis() - saveFailed < RETRY_MILLIS || !save(most() / DRAWS)) {
      return false;
    }
    synchronized (this) {
      return balance > 0;
    }
  }

  /** @param toDraw what may be spent after this, all in all */
  private boolean save(double toDraw) {
    Map<String, Long> values;
    double before;
    synchronized (this) {
      if (state == null) {
        return true;
      }
      settle();
      before = drawn;
      values = Map.of(BALANCE, (long) (balance - toDraw), CREDIT, credit, WRITTEN, written);
    }
    try {
      state.save(values);
    } catch (IOException e) {
      saveFailed = clock.millis();
      LOG.log(Level.WARNING, "The write budget cannot be saved; nothing is admitted", e);
      return false;
    }
    synchronized (this) {
      // Pages that were on their way meanwhile have been taken from it.
      drawn += toDraw - before;
    }
    return true;
  }

  private void settle() {
    long now = clock.millis();
    if (now > settled) {
      double income = (now - settled) / MILLIS_PER_DAY * perDay;
      balance = Math.max(balance, Math.min(balance + income, most()));
      settled = now;
    }
  }
}
