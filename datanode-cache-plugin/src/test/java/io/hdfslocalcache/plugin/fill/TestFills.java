/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.time.TimeAndThreads;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class TestFills {

  private static final int PAGE = 4096;
  private static final int THREADS = 3;
  private static final int QUEUE = 4;
  private static final int FAILING = 4;

  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private final BlockingQueue<FillRequest> started = new LinkedBlockingQueue<>();
  private final BlockingQueue<FillRequest> ended = new LinkedBlockingQueue<>();
  /** Each permit lets one fill of the volume end. */
  private final Map<String, Semaphore> mayEnd = new ConcurrentHashMap<>();
  private final Map<String, Volume> volumes = new ConcurrentHashMap<>();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger mostRunning = new AtomicInteger();
  private final AtomicBoolean interrupted = new AtomicBoolean();
  private final Fills fills = newFills(QUEUE, this::fill);

  private static Fills newFills(int queue, Consumer<FillRequest> filler) {
    return new Fills(PAGE, queue,
        TimeAndThreads.get().newPool("fill-", THREADS), filler, new LocalCacheMetrics());
  }

  @After
  public void close() {
    mayEnd.values().forEach(permits -> permits.release(1000));
    fills.close();
  }

  private Volume volume(String name) {
    return volumes.computeIfAbsent(name, any -> new Volume(System::nanoTime));
  }

  private Semaphore mayEnd(String volume) {
    return mayEnd.computeIfAbsent(volume, name -> new Semaphore(0));
  }

  /** A request that knows its volume. */
  private FillRequest request(String volume, long id, int pages) {
    return FillRequest.order(volume(volume),
        new ReplicaSnapshot(new BlockKey(volume, id), 1001, (long) pages * PAGE), null);
  }

  private boolean submit(String volume, long id, int pages) {
    return fills.submit(request(volume, id, pages));
  }

  /** Submits a request of one page, and waits until it runs. */
  private void submitAndStart(String volume, long id) throws InterruptedException {
    assertTrue(submit(volume, id, 1));
    started.take();
  }

  private void fill(FillRequest request) {
    mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
    started.add(request);
    try {
      mayEnd(request.snapshot().key().blockPoolId()).acquire();
    } catch (InterruptedException e) {
      interrupted.set(true);
      Thread.currentThread().interrupt();
    }
    running.decrementAndGet();
    ended.add(request);
  }

  @Test
  public void fill_failsForWantOfMemory_theVolumesNextAreFilled() throws Exception {
    CountDownLatch filled = new CountDownLatch(1);
    try (Fills unlucky = newFills(100, request -> {
      if (request.snapshot().key().blockId() < FAILING) {
        throw new OutOfMemoryError("thrown by a test");
      }
      filled.countDown();
    })) {
      for (int id = 0; id < FAILING; id++) {
        unlucky.submit(request("v", id, 1));
      }
      while (!unlucky.isIdle()) {
        Thread.onSpinWait();
      }
      unlucky.submit(request("v", FAILING, 1));
      filled.await();
    }
  }

  /** Each read of the others asks for the next page before the last one is filled. */
  @Test
  public void submit_asManyOtherVolumesAsThreadsNeverRunEmpty_isFilledInTurn() throws Exception {
    AtomicInteger before = new AtomicInteger();
    CountDownLatch isFilled = new CountDownLatch(1);
    Semaphore allWait = new Semaphore(0);
    AtomicReference<Fills> crowded = new AtomicReference<>();
    crowded.set(newFills(QUEUE, request -> {
      BlockKey key = request.snapshot().key();
      allWait.acquireUninterruptibly();
      if (key.blockPoolId().equals("last")) {
        isFilled.countDown();
      } else if (isFilled.getCount() > 0 && before.incrementAndGet() < 10_000) {
        crowded.get().submit(request(key.blockPoolId(), key.blockId() + 1, 1));
      }
    }));
    try (Fills all = crowded.get()) {
      for (int i = 0; i < THREADS; i++) {
        all.submit(request("v" + i, 1, 1));
        all.submit(request("v" + i, 1_000_000, 1));
      }
      all.submit(request("last", 1, 1));
      allWait.release(Integer.MAX_VALUE);
      isFilled.await();
      assertTrue(before + " fills of others before", before.get() < 10_000);
    }
  }

  @Test
  public void submit_fails_takesNoPlaceInTheQueue() {
    AtomicBoolean fails = new AtomicBoolean(true);
    ThreadPoolExecutor threads = new ThreadPoolExecutor(
        1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
      @Override
      public void execute(Runnable drain) {
        if (fails.get()) {
          throw new StackOverflowError("planted");
        }
        super.execute(drain);
      }
    };
    try (Fills unlucky = new Fills(PAGE, QUEUE, threads, ended::add, new LocalCacheMetrics())) {
      FillRequest request = request("v", 1, 1);
      assertThrows(StackOverflowError.class, () -> unlucky.submit(request));
      assertEquals(0, unlucky.queuedPages());
      fails.set(false);
      assertTrue(unlucky.submit(request("v", 2, QUEUE)));
    }
  }

  private void awaitEnded(int fills) throws InterruptedException {
    for (int i = 0; i < fills; i++) {
      ended.take();
    }
  }

  @Test
  public void submit_manyForOneVolume_oneRunsAtATime() throws Exception {
    submitAndStart("volume", 0);
    for (int id = 1; id < 5; id++) {
      assertTrue(submit("volume", id, 1));
    }
    assertEquals(4, fills.queuedPages());
    mayEnd("volume").release(5);
    awaitEnded(5);
    assertEquals(1, mostRunning.get());
    assertEquals(0, fills.queuedPages());
  }

  @Test
  public void submit_oneVolumeIsSlow_othersGoOn() throws Exception {
    submitAndStart("slow", 1);
    submit("slow", 2, 1);
    mayEnd("fast").release(10);
    for (int id = 0; id < 10; id++) {
      assertTrue(submit("fast", id, 1));
      assertEquals("fast", started.take().snapshot().key().blockPoolId());
      assertEquals(request("fast", id, 1), ended.take());
    }
    assertFalse(fills.isIdle());
  }

  @Test
  public void submit_moreVolumesThanThreads_threadsAreTheLimit() throws Exception {
    for (int volume = 0; volume < 4; volume++) {
      mayEnd("volume" + volume);
      submit("volume" + volume, 1, 1);
    }
    for (int i = 0; i < THREADS; i++) {
      started.take();
    }
    assertEquals(1, fills.queuedPages());
    mayEnd.values().forEach(Semaphore::release);
    awaitEnded(4);
    assertEquals(THREADS, mostRunning.get());
  }

  @Test
  public void submit_queueFull_isDroppedUntilThereIsRoomAgain_otherVolumesHaveRoom()
      throws Exception {
    submitAndStart("volume", 0);
    assertTrue(submit("volume", 2, 3));
    assertFalse("3 + 2 pages", submit("volume", 3, 2));
    assertTrue("3 + 1 pages", submit("volume", 4, 1));
    assertEquals(QUEUE, fills.queuedPages());
    mayEnd("other").release();
    assertTrue(submit("other", 5, 1));
    assertEquals(request("other", 5, 1), ended.take());
    mayEnd("volume").release(3);
    awaitEnded(3);
    mayEnd("volume").release();
    assertTrue(submit("volume", 6, 1));
    awaitEnded(1);
  }

  @Test
  public void submit_readersHaveHalfOfTheQueue_ordersHaveRoom() throws Exception {
    submitAndStart("volume", 0);
    assertTrue(fills.submit(missed(2, QUEUE / 2)));
    assertFalse(fills.submit(missed(3, 1)));
    assertTrue(submit("volume", 4, QUEUE / 2));
    assertFalse(submit("volume", 5, 1));
  }

  private FillRequest missed(long id, int pages) {
    return FillRequest.missed(volume("volume"),
        new ReplicaSnapshot(new BlockKey("volume", id), 1001, 100 * PAGE), null, 0,
        (long) pages * PAGE);
  }

  @Test
  public void submit_moreThanTheWholeQueue_isTakenWhenNothingWaits() throws Exception {
    assertTrue(submit("volume", 0, QUEUE + 1));
    assertEquals(request("volume", 0, QUEUE + 1), started.take());
  }

  @Test
  public void submit_equalRequestWaits_runsOnce() throws Exception {
    submitAndStart("volume", 0);
    assertTrue(submit("volume", 2, 1));
    assertTrue(submit("volume", 2, 1));
    assertEquals(1, fills.queuedPages());
    mayEnd("volume").release(10);
    awaitEnded(2);
    assertNull(ended.poll());
    assertEquals(0, fills.queuedPages());
  }

  @Test
  public void submit_equalRequestRuns_runsAgainForWhatWasMissedSince() throws Exception {
    submitAndStart("volume", 0);
    assertTrue(submit("volume", 0, 1));
    mayEnd("volume").release(2);
    awaitEnded(2);
  }

  @Test
  public void submit_emptyBlock_runsNothing() {
    assertTrue(submit("volume", 0, 0));
    assertTrue(fills.isIdle());
  }

  @Test
  public void close_someRunAndSomeWait_stopsTheOnesAndForgetsTheOthers() throws Exception {
    submitAndStart("volume", 0);
    submit("volume", 1, 1);
    submit("volume", 2, 1);
    fills.close();
    assertTrue(interrupted.get());
    awaitEnded(1);
    assertNull("a waiting fill was run", started.poll());
    assertEquals("nothing waits", 0, fills.queuedPages());
    assertFalse(submit("volume", 9, 1));
    assertFalse(submit("other", 9, 1));
    assertNull(started.poll());
    assertTrue(fills.isIdle());
  }
}
