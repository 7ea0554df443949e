/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.Test;

/** Never a byte more than credit and income, across restarts, crashes and sick SSDs. */
public class TestWriteBudget {
  private static final long HOUR = 60 * TestingClock.MINUTE;
  private static final long CREDIT = 1_000_000;
  private static final long PER_DAY = 240_000;
  /** An operator's budget for a while. */
  private static final long HIGH = 10_000 * PER_DAY;
  private static final long PAGE = 100;

  private final TestingClock clock = new TestingClock();
  private final MemoryStateFile file = new MemoryStateFile();

  @Test
  public void creditThenIncome_isAllThereIs() {
    WriteBudget budget = budget();
    assertEquals(CREDIT, spendAll(budget));
    clock.advanceMillis(HOUR);
    assertEquals(PER_DAY / 24, spendAll(budget));
    clock.advanceMillis(HOUR / 100);
    assertEquals(PER_DAY / 2400, spendAll(budget));
    assertEquals(0, spendAll(budget));
  }

  /** A page that was admitted may be dropped on its way. */
  @Test
  public void askedAndNotWritten_holdsNothing() {
    WriteBudget budget = budget();
    long spent = spendOne(budget);
    for (int i = 0; i < 2 * CREDIT / PAGE; i++) {
      assertTrue("page " + i, budget.mayWrite(0));
    }
    assertEquals(CREDIT - spent, spendAll(budget));
    assertFalse(budget.mayWrite(0));
    assertTrue(budget.isSpent());
  }

  @Test
  public void unspentIncome_keptForADay_notForAMonth() {
    WriteBudget budget = budget();
    spendAll(budget);
    clock.advanceMillis(12 * HOUR);
    assertEquals(PER_DAY / 2, budget.balance(), 1);
    clock.advanceMillis(100 * 24 * HOUR);
    assertEquals(CREDIT + PER_DAY, budget.balance(), 1);
  }

  @Test
  public void clockBack_noIncomeTwice() {
    WriteBudget budget = budget();
    spendAll(budget);
    clock.advanceMillis(HOUR);
    assertEquals(PER_DAY / 24, budget.balance(), 1);
    clock.advanceMillis(-HOUR);
    budget.balance();
    clock.advanceMillis(HOUR);
    assertEquals(PER_DAY / 24, budget.balance(), 1);
  }

  @Test
  public void restart_noSecondCredit_nothingLost() {
    WriteBudget budget = restored();
    spendPages(budget, 3000);
    budget.close();
    WriteBudget next = restored();
    assertEquals(CREDIT - 3000 * PAGE, next.balance(), 1);
    assertEquals(3000 * PAGE, next.written());
    assertEquals(CREDIT - 3000 * PAGE, spendAll(next));
  }

  @Test
  public void savedIsNotKnownYet_nothingIsAdmitted_goesOnWithTheSavedBalance() {
    WriteBudget budget = restored();
    spendPages(budget, 3000);
    budget.close();
    WriteBudget next = new WriteBudget(clock);
    next.set(CREDIT, PER_DAY);
    next.restore(StateFile.UNKNOWN);
    assertFalse(next.mayWrite(0));
    assertEquals(0, next.balance(), 0);
    next.restore(file);
    assertTrue(next.mayWrite(0));
    assertEquals(CREDIT - 3000 * PAGE, next.balance(), 1);
  }

  @Test
  public void crashesAtRandomMoments_neverMoreThanCreditAndIncome() {
    crashAtRandomMoments(PER_DAY);
  }

  @Test
  public void crashesAndChangesAtRandomMoments_neverMoreThanCreditAndIncome() {
    crashAtRandomMoments(PER_DAY, HIGH);
  }

  private void crashAtRandomMoments(long... perDays) {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    long spent = 0;
    double allowed = CREDIT;
    for (int crashes = 0; crashes < 300; crashes++) {
      long perDay = perDays[random.nextInt(perDays.length)];
      WriteBudget budget = new WriteBudget(clock);
      budget.set(CREDIT, perDay);
      budget.restore(file);
      int steps = random.nextInt(200);
      for (int i = 0; i < steps; i++) {
        if (random.nextInt(30) == 0) {
          perDay = perDays[random.nextInt(perDays.length)];
          budget.set(CREDIT, perDay);
        }
        int millis = random.nextInt(perDay == HIGH ? 200 : 60_000);
        clock.advanceMillis(millis);
        allowed += millis / (24.0 * HOUR) * perDay;
        for (int pages = random.nextInt(20); pages > 0; pages--) {
          spent += spendOne(budget);
        }
        assertTrue("seed " + seed, spent <= allowed + PAGE);
      }
    }
    assertTrue("some was spent: " + spent, spent > CREDIT);
  }

  @Test
  public void saves_onceForHalfADraw() {
    WriteBudget budget = restored();
    spendPages(budget, 5000);
    long expected = 5000 * PAGE / ((CREDIT + PER_DAY) / 1000 / 2);
    assertTrue(file.saves() + " saves",
        file.saves() <= expected + 2 && file.saves() >= expected / 2);
  }

  @Test
  public void whoeverWrites_drawsAhead_thoseWhoAskNeverWaitForTheFile() {
    WriteBudget budget = restored();
    assertTrue(budget.mayWrite(0));
    long before = file.saves();
    for (int i = 0; i < 5000; i++) {
      budget.spend(PAGE);
      long saved = file.saves();
      assertTrue(budget.mayWrite(0));
      assertEquals("page " + i, saved, file.saves());
    }
    assertTrue(file.saves() > before);
  }

  @Test
  public void savedWhileOthersWrite_nobodyIsRefusedAndNothingIsSpentTwice() {
    WriteBudget budget = restored();
    long spent = 0;
    int answered = 0;
    while (budget.balance() > CREDIT / 2) {
      file.hang();
      for (int i = 0; i < 5; i++) {
        assertEquals(PAGE, spendOne(budget));
        spent += PAGE;
      }
      // What a crash would leave.
      long saved = file.onDisk().get(0).get("Balance");
      assertTrue(saved + " after " + spent, saved <= CREDIT - spent + PAGE);
      answered += file.answer();
    }
    assertTrue("" + answered, answered > 100);
    budget.close();
    assertEquals(CREDIT - spent, restored().balance(), 1);
  }

  @Test
  public void fileHangs_goesOnWhenItAnswers() {
    WriteBudget budget = restored();
    file.hang();
    assertTrue("some was drawn", spendAll(budget) > 0);
    assertFalse(budget.mayWrite(0));
    assertFalse("what was admitted is written", budget.isSpent());
    assertFalse("a moment is not worth a word", budget.isNotSaved());
    clock.advanceMillis(10_000);
    assertTrue("and it is said", budget.isNotSaved());
    assertEquals("one at a time", 1, file.answer());
    assertTrue(budget.mayWrite(0));
  }

  @Test
  public void crashWhileADrawIsSaved_forgetsOnlyWhatWasOnItsWay() {
    WriteBudget budget = restored();
    file.hang();
    long spent = spendAll(budget);
    int onTheirWay = 3;
    for (int i = 0; i < onTheirWay; i++) {
      assertFalse(budget.isSpent());
      budget.spend(PAGE);
    }
    file.crash();
    spent += onTheirWay * PAGE + spendAll(restored());
    assertTrue(spent + " bytes", spent > CREDIT && spent <= CREDIT + (onTheirWay + 1) * PAGE);
  }

  /** A thousandth of a small SSD is less than a page. */
  @Test
  public void pagesLargerThanADraw_areWrittenWhileItIsSaved_isDrawnAgainByItself() {
    WriteBudget budget = restored();
    file.hang();
    budget.spend(CREDIT / 100);
    budget.spend(CREDIT / 100);
    assertFalse(budget.mayWrite(0));
    file.answer();
    assertFalse(budget.isNotSaved());
    assertTrue("drawn", budget.mayWrite(0));
    assertEquals(2, budget.written() / (CREDIT / 100));
  }

  @Test
  public void closedWhileADrawIsSaved_takesNothing() {
    WriteBudget budget = restored();
    file.hang();
    long spent = spendAll(budget);
    budget.close();
    assertEquals("the draw and the end", 2, file.answer());
    assertEquals(CREDIT - spent, restored().balance(), 1);
  }

  @Test
  public void closedTwice_pagesWrittenBetweenAreSaved() {
    WriteBudget budget = restored();
    spendOne(budget);
    budget.close();
    budget.spend(PAGE);
    budget.close();
    assertEquals(CREDIT - 2 * PAGE, restored().balance(), 1);
  }

  @Test
  public void cannotBeSaved_nothingIsWritten_triedAgainLater() {
    WriteBudget budget = restored();
    file.fail(true);
    spendAll(budget);
    assertTrue("" + budget.balance(), budget.balance() > CREDIT / 2);
    assertTrue("and it is said", budget.isNotSaved());
    file.fail(false);
    assertFalse("not at once", budget.mayWrite(0));
    clock.advanceMillis(10_000);
    assertTrue(budget.mayWrite(0));
    assertFalse(budget.isNotSaved());
  }

  @Test
  public void noMemoryToWaitForTheSave_triedAgainLater() {
    AtomicInteger saves = new AtomicInteger();
    WriteBudget budget = budget();
    budget.restore(new StateFile() {
      @Override
      public List<Map<String, Long>> load() {
        return List.of();
      }

      @Override
      public CompletableFuture<Void> save(Map<String, Long> values) {
        return saves.incrementAndGet() > 1 ? file.save(values) : new CompletableFuture<>() {
          @Override
          public CompletableFuture<Void> whenComplete(
              BiConsumer<? super Void, ? super Throwable> action) {
            throw new OutOfMemoryError("thrown by a test");
          }
        };
      }
    });
    assertFalse(budget.mayWrite(0));
    clock.advanceMillis(10_000);
    assertTrue(budget.mayWrite(0));
  }

  @Test
  public void cannotBeLoaded_noCredit() {
    file.fail(true);
    WriteBudget budget = restored();
    file.fail(false);
    clock.advanceMillis(HOUR);
    assertEquals(PER_DAY / 24, budget.balance(), 1);
  }

  /** For days, there may be no SSD in use, or only one that fails. */
  @Test
  public void cannotBeSaved_isLoggedOnceUntilItIsSaved_inOneLine() {
    List<LogRecord> logged = new ArrayList<>();
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord line) {
        logged.add(line);
      }

      @Override
      public void flush() {
      }

      @Override
      public void close() {
      }
    };
    // Held, because a logger that is garbage-collected loses its handler.
    Logger logger = Logger.getLogger(WriteBudget.class.getName());
    logger.addHandler(handler);
    try {
      WriteBudget budget = restored();
      for (int outages = 1; outages <= 2; outages++) {
        file.fail(true);
        spendAll(budget);
        for (int retries = 0; retries < 3; retries++) {
          clock.advanceMillis(HOUR);
          assertFalse(budget.mayWrite(0));
        }
        assertEquals(outages, logged.size());
        file.fail(false);
        clock.advanceMillis(HOUR);
        assertTrue(budget.mayWrite(0));
      }
    } finally {
      logger.removeHandler(handler);
    }
    for (LogRecord line : logged) {
      assertNull("a stack trace", line.getThrown());
      assertTrue(line.getMessage(), line.getMessage().endsWith(": sick SSD"));
    }
  }

  @Test
  public void anotherSsdAdded_itsCreditOnly() {
    WriteBudget budget = restored();
    spendAll(budget);
    budget.close();
    WriteBudget larger = budget();
    larger.set(2 * CREDIT, PER_DAY);
    larger.restore(file);
    assertEquals(CREDIT, larger.balance(), PAGE);
  }

  private static Map<String, Long> copy(long balance, long ageMillis) {
    return Map.of("Balance", balance, "Credit", CREDIT, "Written", 7L, StateFile.AGE, ageMillis);
  }

  /** Each of two SSDs was there without the other, and each balance may be spent already. */
  @Test
  public void copiesDiffer_theLowestCounts_whicheverIsNewer() {
    for (List<Map<String, Long>> copies : List.of(
        List.of(copy(600_000, 0), copy(500_000, HOUR)),
        List.of(copy(500_000 + PER_DAY / 24, 0), copy(600_000, HOUR)))) {
      file.find(copies);
      assertEquals(copies.toString(), 500_000 + PER_DAY / 24, restored().balance(), 1);
    }
  }

  /** All SSDs were absent at the start; the first is in use just before its copy is read. */
  @Test
  public void pagesWrittenBeforeTheFirstCopyIsFound_areCharged() {
    WriteBudget budget = budget();
    spendPages(budget, 50);
    file.find(List.of(copy(500_000, HOUR)));
    budget.restore(file);
    assertEquals(500_000 - 50 * PAGE, budget.balance(), 1);
    assertEquals(7 + 50 * PAGE, budget.written());
    assertEquals(500_000 - 50 * PAGE, spendAll(budget));
  }

  @Test
  public void pagesWrittenBeforeAFirstSave_areChargedOnce() {
    WriteBudget budget = budget();
    spendPages(budget, 50);
    budget.restore(file);
    assertEquals(CREDIT - 50 * PAGE, budget.balance(), 1);
    budget.restore(file);
    assertEquals(CREDIT - 50 * PAGE, budget.balance(), 1);
    assertEquals(50 * PAGE, budget.written());
  }

  /** Income since the older copy was saved is not lost. */
  @Test
  public void copyOfAnSsdThatWasAbsentForHours_isNoLowerBalance() {
    file.find(List.of(copy(100_000 + PER_DAY / 4, HOUR), copy(100_000, 7 * HOUR)));
    assertEquals(100_000 + PER_DAY / 4, restored().balance(), 1);
  }

  @Test
  public void ownNumbersFoundAgain_nothingIsLost() {
    WriteBudget budget = restored();
    for (int i = 1; i <= 50; i++) {
      spendOne(budget);
      budget.restore(file);
      assertEquals(CREDIT - i * PAGE, budget.balance(), 1);
    }
  }

  @Test
  public void ownNumbersFoundAgainBeforeADiskHasThem_nothingIsLost() {
    file.hang();
    WriteBudget budget = restored();
    budget.restore(file);
    assertEquals(CREDIT, budget.balance(), 1);
    file.answer();
    budget.restore(file);
    assertEquals(CREDIT, budget.balance(), 1);
  }

  @Test
  public void copyFoundLater_isLower_balanceFalls_isHigher_stays() {
    WriteBudget budget = restored();
    file.find(List.of(copy(300_000, HOUR)));
    budget.restore(file);
    assertEquals(300_000 + PER_DAY / 24, budget.balance(), (CREDIT + PER_DAY) / 1000 + 1);
    file.find(List.of(copy(900_000, HOUR)));
    budget.restore(file);
    assertEquals(300_000 + PER_DAY / 24, budget.balance(), (CREDIT + PER_DAY) / 1000 + 1);
  }

  @Test
  public void ssdThatIsAwayForAWhile_noSecondCredit() {
    WriteBudget budget = restored();
    budget.set(2 * CREDIT, PER_DAY);
    spendAll(budget);
    budget.set(CREDIT, PER_DAY);
    budget.set(2 * CREDIT, PER_DAY);
    assertEquals(0, budget.balance(), PAGE);
    budget.close();
    WriteBudget without = restored();
    without.close();
    WriteBudget with = restored();
    with.set(2 * CREDIT, PER_DAY);
    assertEquals(0, with.balance(), PAGE);
  }

  @Test
  public void budgetLowered_whatTheHigherOneEarned_isKeptForADayOfTheNewOneOnly() {
    WriteBudget budget = budget();
    budget.set(CREDIT, HIGH);
    clock.advanceMillis(24 * HOUR);
    assertEquals(CREDIT + HIGH, budget.balance(), 1);
    budget.set(CREDIT, PER_DAY);
    assertEquals(CREDIT + PER_DAY, budget.balance(), 1);
    assertEquals(CREDIT + PER_DAY, spendAll(budget), PAGE);
  }

  @Test
  public void capacityLowered_balanceFalls_capacityBack_staysThere() {
    WriteBudget budget = budget();
    budget.set(CREDIT / 2, PER_DAY);
    assertEquals(CREDIT / 2 + PER_DAY, budget.balance(), 1);
    budget.set(CREDIT, PER_DAY);
    assertEquals(CREDIT / 2 + PER_DAY, budget.balance(), 1);
  }

  /** The only SSD is being replaced, or a capacity in percent is not known yet. */
  @Test
  public void noSsd_balanceWaitsForIt_acrossARestartToo() {
    WriteBudget budget = restored();
    budget.set(0, 0);
    assertEquals(CREDIT, budget.balance(), 1);
    budget.set(CREDIT, PER_DAY);
    assertEquals(CREDIT, budget.balance(), 1);
    budget.close();
    WriteBudget next = new WriteBudget(clock);
    next.restore(file);
    next.set(CREDIT, PER_DAY);
    assertEquals(CREDIT, next.balance(), 1);
  }

  @Test
  public void budgetLowered_crash_nothingIsGrantedAgain() {
    WriteBudget budget = restored();
    budget.set(CREDIT, HIGH);
    clock.advanceMillis(24 * HOUR);
    spendPages(budget, 3);
    budget.set(CREDIT, PER_DAY);
    assertEquals(CREDIT + PER_DAY, spendAll(budget), PAGE);
    file.crash();
    assertEquals(0, spendAll(restored()));
  }

  @Test
  public void budgetLoweredWhileADrawIsSaved_crash_nothingIsGrantedAgain() {
    WriteBudget budget = restored();
    budget.set(CREDIT, HIGH);
    clock.advanceMillis(24 * HOUR);
    file.hang();
    spendAll(budget);
    budget.set(CREDIT, PER_DAY);
    assertFalse("what is on disk is too much", budget.mayWrite(0));
    file.answer();
    assertEquals(CREDIT + PER_DAY, spendAll(budget), PAGE);
    file.crash();
    assertEquals(0, spendAll(restored()));
  }

  /** A crash with a high budget loses a large draw, which its income pays for in a minute. */
  @Test
  public void crashWithAHighBudget_thenALowerOne_owesOneDrawOfThat() {
    double draw = (CREDIT + PER_DAY) / 1000.0;
    WriteBudget budget = restored();
    budget.set(CREDIT, HIGH);
    spendAll(budget);
    clock.advanceMillis(1000);
    spendAll(budget);
    file.crash();

    WriteBudget startedWithTheLowerOne = restored();
    assertEquals(-draw, startedWithTheLowerOne.balance(), 1);

    file.crash();
    WriteBudget loweredLater = new WriteBudget(clock);
    loweredLater.set(CREDIT, HIGH);
    loweredLater.restore(file);
    assertTrue("" + loweredLater.balance(), loweredLater.balance() < -100 * draw);
    loweredLater.set(CREDIT, PER_DAY);
    assertEquals(-draw, loweredLater.balance(), 1);
  }

  private long spendAll(WriteBudget budget) {
    long spent = 0;
    for (long one = spendOne(budget); one > 0; one = spendOne(budget)) {
      spent += one;
    }
    return spent;
  }

  private void spendPages(WriteBudget budget, int pages) {
    for (int i = 0; i < pages; i++) {
      spendOne(budget);
    }
  }

  private long spendOne(WriteBudget budget) {
    if (!budget.mayWrite(0)) {
      return 0;
    }
    budget.spend(PAGE);
    return PAGE;
  }

  private WriteBudget budget() {
    WriteBudget budget = new WriteBudget(clock);
    budget.set(CREDIT, PER_DAY);
    return budget;
  }

  private WriteBudget restored() {
    WriteBudget budget = budget();
    budget.restore(file);
    return budget;
  }
}
