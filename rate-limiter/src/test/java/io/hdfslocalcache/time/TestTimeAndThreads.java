/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.time;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.Test;

/** The time and threads of the JVM, which other tests replace. */
public class TestTimeAndThreads {

  private static final long LONG = TimeUnit.MINUTES.toNanos(1);

  private final TimeAndThreads jvm = TimeAndThreads.get();

  @Test
  public void repeat_untilItIsStopped() throws InterruptedException {
    CountDownLatch thrice = new CountDownLatch(3);
    AtomicInteger times = new AtomicInteger();
    TimeAndThreads.Repetition repetition = jvm.repeat("test", 1, () -> {
      times.incrementAndGet();
      thrice.countDown();
    });
    thrice.await();
    assertFalse(repetition.isStopped());
    repetition.stop();
    assertTrue(repetition.isStopped());
    assertTrue(repetition.await(LONG));
    int last = times.get();
    jvm.sleep(TimeUnit.MILLISECONDS.toNanos(5));
    assertEquals(last, times.get());
  }

  @Test
  public void repeat_noMemoryForThePause_sleepsAndGoesOn() throws InterruptedException {
    AtomicLong slept = new AtomicLong();
    TimeAndThreads withoutMemory = new TimeAndThreads() {
      @Override
      public <T> T get(CompletableFuture<T> result, long nanos) {
        throw new OutOfMemoryError("thrown by a test");
      }

      @Override
      public void sleep(long nanos) {
        slept.addAndGet(nanos);
      }
    };
    AtomicInteger rounds = new AtomicInteger();
    CountDownLatch thrice = new CountDownLatch(3);
    TimeAndThreads.Repetition repetition = withoutMemory.repeat("test", LONG, () -> {
      rounds.incrementAndGet();
      thrice.countDown();
    });
    assertTrue(thrice.await(LONG, TimeUnit.NANOSECONDS));
    repetition.stop();
    assertTrue(repetition.await(LONG));
    assertTrue("the pause before each round", slept.get() >= rounds.get() * LONG);
    CompletableFuture<Void> end = new CompletableFuture<>();
    end.complete(null);
    long before = slept.get();
    assertTrue(withoutMemory.isDoneIn(end, LONG));
    assertEquals("no sleep beyond the end", before, slept.get());
  }

  @Test
  public void stopNow_interruptsWhatIsBeingDone() throws InterruptedException {
    CountDownLatch began = new CountDownLatch(1);
    TimeAndThreads.Repetition repetition = jvm.repeat("test", 1, () -> {
      began.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    began.await();
    repetition.stopNow();
    assertTrue(repetition.await(LONG));
  }

  @Test
  public void forEachAtOnce_eachWaitsForTheOthers_endsWhenAllAreDone() {
    CountDownLatch all = new CountDownLatch(3);
    Set<Integer> done = ConcurrentHashMap.newKeySet();
    jvm.forEachAtOnce(List.of(1, 2, 3), one -> {
      all.countDown();
      try {
        all.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      done.add(one);
    });
    assertEquals(Set.of(1, 2, 3), done);
  }

  @Test
  public void get_noResultInTime_throws() {
    assertThrows(TimeoutException.class, () -> jvm.get(new CompletableFuture<>(), 1));
  }

  @Test
  public void newThread_keepsNoJvmFromEnding() {
    Thread thread = jvm.newThread("name", () -> { });
    assertTrue(thread.isDaemon());
    assertEquals("name", thread.getName());
  }
}
