/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Operation;
import org.apache.hadoop.util.Daemon;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/**
 * An SSD that fails or hangs is down. It is not blamed for the process or its readers: too many
 * readers, no threads, a process that is stopped for a while. A test clock measures
 * operations; readers wait in real time.
 */
public class TestSsdIo {

  private static final long TICK = SsdIo.TICK_MILLIS;

  @Rule
  public final Timeout timeout = Timeout.seconds(120);

  private final AtomicLong millis = new AtomicLong(1_000_000);
  private final AtomicBoolean hasNoMemory = new AtomicBoolean();
  private final ExecutorService readers = Executors.newCachedThreadPool();
  private final Semaphore begun = new Semaphore(0);
  private final CountDownLatch released = new CountDownLatch(1);
  private ThreadFactory threads = Daemon::new;
  private HealthLimits limits;
  private SsdHealth health;
  private SsdIo io;

  private void open(int ioThreads, long deadlineMillis) {
    open(ioThreads, deadlineMillis, TimeUnit.SECONDS.toNanos(10));
  }

  private void open(int ioThreads, long deadlineMillis, long probeIntervalNanos) {
    limits = new HealthLimits(TimeUnit.MILLISECONDS.toNanos(deadlineMillis), probeIntervalNanos);
    health = new SsdHealth(limits, System::nanoTime, () -> 0, (before, now, reason) -> { });
    io = new SsdIo("test", ioThreads, limits, health,
        this::nanoTime, task -> threads.newThread(task));
  }

  private long nanoTime() {
    if (hasNoMemory.getAndSet(false)) {
      throw new OutOfMemoryError("thrown by a test");
    }
    return TimeUnit.MILLISECONDS.toNanos(millis.get());
  }

  @After
  public void close() {
    released.countDown();
    readers.shutdownNow();
    io.close();
  }

  /** Blocks, as a read that the SSD has not answered yet. */
  private String hold() throws IOException {
    begun.release();
    try {
      released.await();
      return "bytes";
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Waits for an operation of a thread of the SSD as readers do. */
  private <T> T await(SsdIo.Io<T> operation) throws IOException {
    return io.begin(Operation.PAGE_READ, operation).await(limits.deadlineNanos());
  }

  private Future<String> read(SsdIo.Io<String> operation) {
    return readers.submit((Callable<String>) () -> await(operation));
  }

  /** Time goes by, and the process runs. */
  private void run(long forMillis) {
    for (long i = 0; i < forMillis; i += TICK) {
      millis.addAndGet(TICK);
      io.check();
    }
  }

  private long writeDeadlineMillis() {
    return TimeUnit.NANOSECONDS.toMillis(limits.writeDeadlineNanos());
  }

  /** Time goes by, and the process does not run. */
  private void stop(long forMillis) {
    millis.addAndGet(forMillis);
  }

  private static Throwable failure(Future<String> read) {
    return assertThrows(ExecutionException.class, read::get).getCause();
  }

  @Test
  public void await_fails_throwsTheError() {
    open(1, 60_000);
    IOException error = new IOException("Input/output error");
    assertSame(error, assertThrows(IOException.class, () -> await(() -> {
      throw error;
    })));
    assertEquals("whoever asked decides what it means", SsdState.NORMAL, health.state());
  }

  @Test
  public void await_bug_throwsAnIOException() {
    open(1, 60_000);
    IOException error = assertThrows(IOException.class, () -> await(() -> {
      throw new IllegalStateException("a bug");
    }));
    assertTrue(error.getCause() instanceof IllegalStateException);
  }

  @Test
  public void await_readerInterrupted_givesUpAndTheSsdIsAsGoodAsBefore() {
    open(1, 60_000);
    Thread.currentThread().interrupt();
    assertThrows(SsdUnavailableException.class, () -> await(this::hold));
    assertTrue(Thread.interrupted());
    assertEquals(SsdState.NORMAL, health.state());
  }

  @Test
  public void await_closed_isUnavailable() {
    open(1, 60_000);
    io.close();
    assertThrows(SsdUnavailableException.class, () -> await(() -> ""));
  }

  @Test
  public void check_oneOfTwoNestedReturned_ssdIsDown() throws Exception {
    open(1, 200);
    Future<?> restored = readers.submit(() -> io.watch(Operation.RESTORE, () -> {
      io.watch(Operation.PAGE_DELETE, () -> "");
      return hold();
    }));
    begun.acquire();
    run(writeDeadlineMillis() + TICK);
    assertEquals(SsdState.DOWN, health.state());
    released.countDown();
    restored.get();
  }

  @Test
  public void check_writeReturned_isForgotten() throws Exception {
    open(1, 200);
    assertEquals("", io.watch(Operation.PAGE_WRITE, () -> ""));
    run(writeDeadlineMillis() + TICK);
    assertEquals(SsdState.NORMAL, health.state());
  }

  @Test
  public void await_thousandsOfReadersQueue_theyGiveUpAndTheSsdIsNormal() throws Exception {
    open(32, 200);
    List<Future<String>> reads = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      reads.add(read(this::hold));
    }
    for (Future<String> read : reads) {
      assertEquals(SsdTimeoutException.class, failure(read).getClass());
    }
    assertFalse(io.check());
    assertEquals(SsdState.NORMAL, health.state());
  }

  @Test
  public void await_threadIsHeld_downAtItsDeadlineAndAllWhoWaitGiveUpAtOnce() throws Exception {
    open(1, 60_000);
    Future<String> first = read(this::hold);
    begun.acquire();
    Future<String> waiting = read(() -> "never run");
    run(60_000);
    assertEquals(SsdState.NORMAL, health.state());
    assertFalse(first.isDone());
    run(TICK);
    assertEquals(SsdState.DOWN, health.state());
    assertEquals("does not answer: PageRead for 60050 ms", health.reason());
    assertEquals(SsdUnavailableException.class, failure(first).getClass());
    assertEquals(SsdUnavailableException.class, failure(waiting).getClass());
    AtomicInteger asked = new AtomicInteger();
    assertThrows(SsdUnavailableException.class,
        () -> await(asked::incrementAndGet));
    assertEquals("a sick SSD is left alone", 0, asked.get());
    assertTrue("its thread is still held", io.check());
    released.countDown();
    while (io.activeThreads() > 0) {
      Thread.onSpinWait();
    }
    assertFalse(io.check());
  }

  @Test
  public void probeIfDue_anOperationHangs_onlyProbesWhenItReturned() throws Exception {
    open(1, 60_000, 1);
    Future<String> read = read(this::hold);
    begun.acquire();
    run(60_000 + TICK);
    assertEquals(SsdUnavailableException.class, failure(read).getClass());
    AtomicInteger probes = new AtomicInteger();
    io.probeIfDue((nanoClock, reads) -> probes.incrementAndGet());
    assertEquals(0, probes.get());
    released.countDown();
    while (io.check()) {
      Thread.onSpinWait();
    }
    while (health.state() != SsdState.NORMAL) {
      io.probeIfDue((nanoClock, reads) -> probes.incrementAndGet());
    }
    assertEquals(HealthLimits.GOOD_PROBES, probes.get());
  }

  @Test
  public void probeIfDue_tookTooLong_startsOver() {
    assertEquals(2 + HealthLimits.GOOD_PROBES, probesUntilNormal(() -> {
      run(60_000 + TICK);
      return null;
    }));
  }

  @Test
  public void probeIfDue_failsForWantOfDescriptors_isNoFailureOfTheSsd() {
    assertEquals("it did not start over", 1 + HealthLimits.GOOD_PROBES, probesUntilNormal(() -> {
      throw new IOException("Too many open files");
    }));
  }

  /** The deadline bounds the whole probe: several slow reads must not exceed it. */
  @Test
  public void probeIfDue_readsAreGivenATenthOfTheDeadline() {
    open(1, 60_000, 1);
    health.hung(Operation.PAGE_READ, 1);
    AtomicLong given = new AtomicLong();
    while (given.get() == 0) {
      io.probeIfDue((nanoClock, reads) -> {
        given.set(reads);
        return 1;
      });
    }
    assertEquals(TimeUnit.MILLISECONDS.toNanos(60_000) / 10, given.get());
  }

  /** Counts the probes of an SSD that had hung. The second one does this, too. */
  private int probesUntilNormal(SsdIo.Io<?> second) {
    open(1, 60_000, 1);
    health.hung(Operation.PAGE_READ, 1);
    AtomicInteger probes = new AtomicInteger();
    while (health.state() != SsdState.NORMAL) {
      io.probeIfDue((nanoClock, reads) -> {
        if (probes.incrementAndGet() == 2) {
          second.run();
        }
        return 1;
      });
    }
    return probes.get();
  }

  @Test
  public void await_readerGaveUpAndItsThreadIsHeld_downAtItsDeadline() throws Exception {
    open(1, 200);
    Future<String> read = read(this::hold);
    assertEquals(SsdTimeoutException.class, failure(read).getClass());
    begun.acquire();
    assertEquals("in the time of the operation, none has passed", SsdState.NORMAL, health.state());
    run(250);
    assertEquals(SsdState.DOWN, health.state());
  }

  @Test
  public void check_processStopped_operationsDoNotHang() throws Exception {
    open(1, 60_000);
    Future<String> read = read(this::hold);
    Future<String> write = readers.submit(() -> io.watch(Operation.PAGE_WRITE, this::hold));
    begun.acquire(2);
    for (int i = 0; i < 100; i++) {
      stop(600_000);
      assertFalse(io.check());
    }
    assertEquals(SsdState.NORMAL, health.state());
    released.countDown();
    assertEquals("bytes", read.get());
    assertEquals("bytes", write.get());
  }

  @Test
  public void await_processStoppedWhileReading_isNoSlowRead() throws Exception {
    open(1, 1000);
    for (int i = 0; i < 10 * HealthLimits.LATENCY_SAMPLES; i++) {
      await(() -> {
        stop(2000);
        return "";
      });
      io.check();
    }
    assertEquals(SsdState.NORMAL, health.state());
  }

  @Test
  public void await_readsAreSlow_theSsdIsDown() throws Exception {
    open(1, 1000);
    IOException down = null;
    for (int i = 0; i < 10 * HealthLimits.LATENCY_SAMPLES && down == null; i++) {
      try {
        await(() -> {
          run(300);
          return "";
        });
      } catch (SsdUnavailableException e) {
        down = e;
      }
    }
    assertEquals(SsdState.DOWN, health.state());
    assertEquals("a read takes 300 ms on average", health.reason());
  }

  @Test
  public void await_noThreadCanBeStarted_isNoErrorOfTheSsdAndTheNextWorks() throws Exception {
    open(1, 60_000);
    threads = NoThread::new;
    AtomicInteger skipped = new AtomicInteger();
    for (int i = 0; i < 2 * HealthLimits.READ_ERRORS; i++) {
      IOException e = assertThrows(IOException.class,
          () -> await(new SsdIo.Io<String>() {
            @Override
            public String run() {
              return "never run";
            }

            @Override
            public void skipped(Throwable why) {
              skipped.incrementAndGet();
            }
          }));
      assertEquals(ErrorCause.PROCESS, ErrorCause.of(e));
      health.failed(Operation.PAGE_READ, e);
    }
    assertEquals(2 * HealthLimits.READ_ERRORS, skipped.get());
    assertEquals(SsdState.NORMAL, health.state());
    threads = Daemon::new;
    assertEquals("bytes", await(() -> "bytes"));
  }

  @Test
  public void begin_noMemory_whoWaitsAlreadyIsToldAndTheNextWorks() throws Exception {
    open(1, 60_000);
    SsdIo.Task<String> task = io.task(Operation.PAGE_READ, () -> "never run");
    hasNoMemory.set(true);
    task.begin();
    assertTrue(task.isOver());
    IOException e = assertThrows(IOException.class, () -> task.await(TimeUnit.MINUTES.toNanos(1)));
    assertEquals(ErrorCause.PROCESS, ErrorCause.of(e));
    assertEquals("bytes", await(() -> "bytes"));
  }
}
