/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The account of bytes that may be written to the SSDs: a credit, enough to fill them once,
 * and an income per day. A page may be written while there is a balance; what was written is taken
 * from it. A page on its way reserves as many bytes as the longest page so far, until it is written,
 * or for a minute or two if it is not. So all writes since the SSDs were new are never more than
 * credit + income x time, but for a page.
 *
 * <p>Income that is not spent is kept, up to a day's worth beside the credit: a quiet night serves
 * the morning, and a quiet month does not wear the SSDs out in a day.
 *
 * <p>The balance survives a restart, and a crash. Money is drawn from the saved balance before it
 * is spent, a thousandth at a time and again when half of it is spent: what a crash finds drawn and
 * not spent is lost, and nothing is ever spent twice. Where the balance cannot be saved nothing is
 * written, and nothing comes in while the DataNode is down. Nobody waits for it to be saved: those
 * who ask are clients' threads.
 */
final class WriteBudget {
  private static final double MILLIS_PER_DAY = 86_400_000;
  private static final int DRAWS = 1000;
  private static final long RETRY_MILLIS = 10_000;
  private static final long RESERVED_MILLIS = 60_000;
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
  private StateFile state;
  /** Whether a draw is on its way to a disk, and not added to what is drawn. */
  private boolean saving;
  private long savingSince;
  private double balance;
  private double drawn;
  /** What the last save would add to that: it is under way, or has failed. */
  private double drawing;
  private long written;
  private long settled;
  private long longestPage;
  /** Bytes of pages on their way: of those that may be written since a time, and those before. */
  private long reserved;
  private long reservedBefore;
  private long reservedSince;
  /** When the balance could not be saved last, unless it could be since. */
  private long saveFailed = NEVER;
  private boolean closed;

  /**
   * Opens an account with nothing in it, for SSDs of which nothing is known.
   *
   * @param clock the time
   */
  WriteBudget(RateLimiterClock clock) {
    this.clock = clock;
    this.drawn = Double.POSITIVE_INFINITY;
    this.settled = clock.millis();
    this.reservedSince = settled;
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
    double notInCopies = isFirst ? 0 : Math.max(0, drawn + drawing);
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
    if (reserve()) {
      return true;
    }
    draw();
    return reserve();
  }

  private synchronized boolean reserve() {
    settle();
    if (closed || balance <= reserved + reservedBefore || drawn <= 0) {
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
    draw();
  }

  private void release() {
    if (reservedBefore > 0) {
      reservedBefore = Math.max(0, reservedBefore - longestPage);
    } else {
      reserved = Math.max(0, reserved - longestPage);
    }
  }

  /**
   * Draws a thousandth when half of one is left, unless it is being saved already: while it is, those
   * who ask find the other half.
   */
  private void draw() {
    CompletableFuture<Void> last;
    synchronized (this) {
      settle();
      double draw = most() / DRAWS;
      if (closed || state == null || balance <= 0 || drawn > draw / 2 || saving
          || clock.millis() - saveFailed < RETRY_MILLIS) {
        return;
      }
      // Pages that are written meanwhile are taken from what is drawn, before and after.
      drawing = draw - drawn;
      last = save(draw);
      saving = true;
      savingSince = clock.millis();
    }
    last.whenComplete((nothing, error) -> saved(error));
  }

  /** @param toDraw what may be spent before it is saved again */
  private CompletableFuture<Void> save(double toDraw) {
    return state.save(
        Map.of(BALANCE, (long) (balance - toDraw), CREDIT, credit, WRITTEN, written));
  }

  private void saved(Throwable error) {
    boolean isFirst;
    synchronized (this) {
      saving = false;
      isFirst = saveFailed == NEVER;
      saveFailed = error == null ? NEVER : clock.millis();
      if (error == null) {
        drawn += drawing;
        drawing = 0;
      }
    }
    if (error == null) {
      // Pages that are larger than what is drawn may have been written meanwhile.
      draw();
    } else if (isFirst) {
      LOG.log(Level.WARNING, "Cannot save the balance of the write budget; no page is admitted until "
          + "it is saved: " + error.getMessage());
    }
  }

  /**
   * Saves the balance with what was drawn and not spent, and has no more pages written. If no disk can
   * take it, that is lost, as in a crash.
   */
  synchronized void close() {
    if (!closed && state != null) {
      settle();
      save(0);
    }
    closed = true;
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

  /**
   * Tells whether nothing may be written because the balance cannot be saved: that has failed, or has
   * lasted as long as an attempt after a failure waits.
   */
  synchronized boolean isNotSaved() {
    settle();
    return balance > 0 && drawn <= 0 && (saveFailed != NEVER
        || saving && clock.millis() - savingSince >= RETRY_MILLIS);
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
