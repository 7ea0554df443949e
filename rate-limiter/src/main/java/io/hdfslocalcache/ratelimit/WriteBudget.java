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
 * A token bucket of bytes that may be written to the SSDs: a credit to fill them once, and an
 * income per day. A page may be written while the balance is positive; written bytes are
 * subtracted. That is asked again just before a page is written. So all writes since the SSDs were
 * new are at most credit + income x time, plus the pages being written at a time.
 *
 * <p>Unspent income is kept, up to a day's income beside the credit: a quiet night helps the
 * morning, and a quiet month does not wear out the SSDs in a day.
 *
 * <p>The balance survives a restart and a crash. Bytes are drawn from the saved balance before they
 * are spent, a thousandth at a time, and again when half of that is spent: a crash loses drawn
 * bytes. While none are left, because the balance is being saved or cannot be, no page is admitted.
 * Those admitted before are still written, so a crash just then forgets some of them. There is no
 * income while the DataNode is down. Nobody waits for saving, because the callers are clients'
 * threads.
 */
final class WriteBudget {
  private static final double MILLIS_PER_DAY = 86_400_000;
  private static final int DRAWS = 1000;
  private static final long RETRY_MILLIS = 10_000;
  /** The last page of a block is shorter, and may be the first one that is written. */
  private static final long USUAL_PAGE = 1 << 20;
  private static final long NEVER = Long.MIN_VALUE / 2;
  private static final String BALANCE = "Balance";
  private static final String CREDIT = "Credit";
  private static final String WRITTEN = "Written";
  private static final Logger LOG = System.getLogger(WriteBudget.class.getName());

  private long capacity;
  /** Total credit given to fill the SSDs. It never shrinks, so no credit is given twice. */
  private long credit;
  private volatile long perDay;
  private final RateLimiterClock clock;
  private StateFile state;
  /** Whether a draw is being saved, and not added to the drawn bytes yet. */
  private boolean saving;
  private long savingSince;
  private double balance;
  /** Whether it is not known yet what is saved: perhaps nothing is left. */
  private boolean waits;
  private double drawn;
  /** The bytes of the last draw, which is being saved or has failed. */
  private double drawing;
  /** Bytes written since this was created. Only {@link #spend} changes it. */
  private long spent;
  /** Bytes written before, as saved. */
  private long spentBefore;
  private long settled;
  private long longestPage;
  /** Time of the last failed save, unless a later one succeeded. */
  private long saveFailed = NEVER;
  private boolean closed;

  /**
   * Creates an empty account for unknown SSDs.
   *
   * @param clock the time
   */
  WriteBudget(RateLimiterClock clock) {
    this.clock = clock;
    this.drawn = Double.POSITIVE_INFINITY;
    this.settled = clock.millis();
  }

  /**
   * Continues with the saved account, if any, and saves to this file from now on. While that is not
   * known, no page is admitted: it may be spent. If there are
   * several, because SSDs were absent in turn, the lowest balance counts: each may have been spent
   * while the others were absent.
   */
  void restore(StateFile file) {
    List<Map<String, Long>> copies;
    try {
      copies = file.load();
    } catch (IOException | RuntimeException | Error e) {
      LOG.log(Level.WARNING,
          "Cannot read the balance of the write budget; it starts at 0: " + e.getMessage());
      copies = List.of(Map.of(BALANCE, 0L));
    }
    if (copies == null) {
      waitForState();
      return;
    }
    goOn(file, copies);
    draw();
  }

  private synchronized void waitForState() {
    waits = state == null;
  }

  private synchronized void goOn(StateFile file, List<Map<String, Long>> copies) {
    settle();
    boolean isFirst = state == null;
    waits = false;
    // No income while the DataNode is down: the age of the latest copy is the downtime.
    long downMillis = isFirst
        ? copies.stream().mapToLong(copy -> copy.getOrDefault(StateFile.AGE, 0L)).min().orElse(0)
        : 0;
    // Drawn bytes are in the balance, but in no copy.
    double notInCopies = isFirst ? 0 : Math.max(0, drawn + drawing);
    double least = isFirst && !copies.isEmpty()
        ? Double.POSITIVE_INFINITY : balance - notInCopies;
    long most = credit;
    for (Map<String, Long> copy : copies) {
      // A new SSD gets its credit; a removed one leaves no debt.
      long before = copy.getOrDefault(CREDIT, credit);
      double income = income(copy.getOrDefault(StateFile.AGE, 0L) - downMillis);
      double saved = Math.max(copy.getOrDefault(BALANCE, 0L), -oneDraw());
      least = Math.min(least, saved + Math.max(0, credit - before) + income);
      most = Math.max(most, before);
      spentBefore =
          Math.max(spentBefore, copy.getOrDefault(WRITTEN, 0L) - (isFirst ? 0 : spent));
    }
    balance = Math.min(least + notInCopies, most());
    if (isFirst && !copies.isEmpty()) {
      // An SSD may be written before its copy is read.
      balance -= spent;
    }
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
   * Tells whether a page may be admitted now. Never waits: false if nothing is drawn.
   *
   * @param ahead bytes that will be spent before
   */
  boolean mayWrite(long ahead) {
    if (isDrawn(ahead)) {
      return true;
    }
    draw();
    return isDrawn(ahead);
  }

  private synchronized boolean isDrawn(long ahead) {
    return drawn > 0 && !isSpent() && balance > ahead;
  }

  /** @return whether not even an admitted page may be written now. */
  synchronized boolean isSpent() {
    return closed || balance() <= 0;
  }

  /** Subtracts written bytes. */
  void spend(long bytes) {
    synchronized (this) {
      longestPage = Math.max(longestPage, bytes);
      spent += bytes;
      balance -= bytes;
      drawn -= bytes;
    }
    draw();
  }

  /**
   * Draws when half of a draw is left, unless one is being saved: until then, callers use the other
   * half.
   */
  private void draw() {
    CompletableFuture<Void> last;
    synchronized (this) {
      double draw = oneDraw();
      if (state == null || capacity == 0 || isSpent() || drawn > draw / 2 || saving
          || clock.millis() - saveFailed < RETRY_MILLIS) {
        return;
      }
      // Pages written meanwhile are subtracted from the drawn bytes, before and after.
      drawing = draw - drawn;
      last = save(draw);
      saving = true;
      savingSince = clock.millis();
    }
    try {
      last.whenComplete((nothing, error) -> saved(error));
    } catch (OutOfMemoryError e) {
      // Nobody would tell that it is saved. It is saved again later.
      saved(e);
    }
  }

  /** @param toDraw bytes that may be spent before the next save */
  private CompletableFuture<Void> save(double toDraw) {
    return state.save(
        Map.of(BALANCE, (long) (balance - toDraw), CREDIT, credit, WRITTEN, written()));
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
      // Pages larger than the drawn bytes may have been written meanwhile.
      draw();
    } else if (isFirst) {
      LOG.log(Level.WARNING, "Cannot save the balance of the write budget; no page is admitted until "
          + "it is saved: " + error.getMessage());
    }
  }

  /**
   * Saves the balance including drawn bytes, and stops writing pages. If no disk can save it, drawn
   * bytes are lost, as in a crash. Called again after the last page.
   */
  synchronized void close() {
    if (state != null) {
      settle();
      save(0);
    }
    closed = true;
  }

  /** @return whether the balance is known: not before an SSD is in use after a start. */
  synchronized boolean isKnown() {
    return !waits;
  }

  /**
   * Returns the balance.
   *
   * @return bytes; 0 until it is known, at most a few pages below 0, or a draw after a crash
   */
  synchronized double balance() {
    settle();
    return waits ? 0 : balance;
  }

  /**
   * Returns how long nothing may be written because the balance is spent.
   *
   * @return milliseconds; 0 if there is a balance, or no SSD, {@link Long#MAX_VALUE} if there is no
   *     income
   */
  synchronized long spentForMillis() {
    settle();
    return balance > 0 || capacity == 0 ? 0 : millisToEarn(-balance);
  }

  /** @return in how many milliseconds the income pays for a page, at least of the usual size. */
  synchronized long millisToEarnAPage() {
    return millisToEarn(Math.max(longestPage, USUAL_PAGE));
  }

  private long millisToEarn(double bytes) {
    return perDay == 0 ? Long.MAX_VALUE : (long) (bytes / perDay * MILLIS_PER_DAY) + 1;
  }

  /**
   * Tells whether nothing may be written because the balance cannot be saved: saving failed, or has
   * taken as long as the pause after a failure.
   */
  synchronized boolean isNotSaved() {
    settle();
    return balance > 0 && drawn <= 0 && (saveFailed != NEVER
        || saving && clock.millis() - savingSince >= RETRY_MILLIS);
  }

  /** @return the bytes of the longest page written since the start. */
  synchronized long longestPage() {
    return longestPage;
  }

  /** @return the bytes written since the SSDs were new, as far as saved. */
  synchronized long written() {
    return spentBefore + spent;
  }

  /** @return the bytes written since this was created. */
  synchronized long spent() {
    return spent;
  }

  /** @return the income in bytes per day. */
  long perDay() {
    return perDay;
  }

  /**
   * Changes capacity and income, in bytes. Past income stays, up to the new most. A capacity higher
   * than ever before adds credit.
   */
  synchronized void set(long newCapacity, long newPerDay) {
    settle();
    double mostBefore = most();
    capacity = newCapacity;
    perDay = newPerDay;
    balance += Math.max(0, newCapacity - credit);
    credit = Math.max(credit, newCapacity);
    double past = balance;
    balance = Math.min(balance, most());
    if (most() < mostBefore) {
      balance = Math.max(balance, -oneDraw());
    }
    if (state != null && (balance < past || drawn > oneDraw())) {
      // Disks have a higher balance, so nothing is spent until they have this one.
      drawn = -drawing;
    }
  }

  /** @return the highest balance. Without an SSD, that is not known, and the balance waits for one. */
  private double most() {
    return capacity == 0 ? Double.POSITIVE_INFINITY : (double) capacity + perDay;
  }

  /**
   * Returns the bytes of a draw, which is also the largest debt after a crash. A larger one comes
   * from a larger budget, which is no longer there to pay it.
   */
  private double oneDraw() {
    return most() / DRAWS;
  }

  private void settle() {
    long now = clock.millis();
    if (now > settled) {
      balance = Math.min(balance + income(now - settled), most());
      settled = now;
    }
  }
}
