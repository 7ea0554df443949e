/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class TestWriteQueue {

  private static final int THREADS = 2;
  private static final int LIMIT = 1000;

  @Rule
  public final Timeout timeout = Timeout.seconds(120);

  private final WriteQueue queue = new WriteQueue(THREADS, LIMIT);
  private final Semaphore mayEnd = new Semaphore(0);
  private final BlockingQueue<Integer> started = new LinkedBlockingQueue<>();
  private final BlockingQueue<Integer> ended = new LinkedBlockingQueue<>();
  private final Map<Integer, Integer> ends = new ConcurrentHashMap<>();

  @After
  public void close() {
    mayEnd.release(1000);
    queue.close();
    queue.awaitEnd(60);
    assertEquals(0, queue.waitingBytes());
    assertTrue("ended more than once: " + ends,
        ends.values().stream().allMatch(number -> number == 1));
  }

  private boolean submit(int number, int bytes) {
    return queue.submit(new WriteQueue.Write(bytes, () -> {
      started.add(number);
      try {
        mayEnd.acquire();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, () -> end(number)));
  }

  private void end(int number) {
    ends.merge(number, 1, Integer::sum);
    ended.add(number);
  }

  @Test
  public void submit_moreThanThreads_othersWait() throws Exception {
    for (int i = 0; i < 4; i++) {
      assertTrue(submit(i, 100));
    }
    started.take();
    started.take();
    assertEquals(400, queue.waitingBytes());
    assertNull(started.poll());
    mayEnd.release();
    ended.take();
    started.take();
    assertEquals(300, queue.waitingBytes());
  }

  @Test
  public void submit_moreBytesThanTheLimit_isRefusedAndEndedAtOnce() throws Exception {
    assertTrue(submit(0, 600));
    assertFalse(submit(1, 401));
    assertEquals(1, (int) ended.take());
    assertEquals(600, queue.waitingBytes());
    assertTrue("what just fits", submit(2, 400));
    assertFalse(submit(3, 1));
    assertEquals(3, (int) ended.take());
    mayEnd.release(2);
    ended.take();
    ended.take();
    // Room is given back just after. The rule ends a test that waits too long.
    while (queue.waitingBytes() != 0) {
      Thread.onSpinWait();
    }
    assertTrue("there is room again", submit(4, LIMIT));
    started.take();
  }

  @Test
  public void submit_writeThrows_isEndedAndOthersAreWritten() throws Exception {
    mayEnd.release(1000);
    for (int i = 0; i < 3 * THREADS; i++) {
      int number = i;
      queue.submit(new WriteQueue.Write(10, () -> {
        throw new AssertionError("thrown by a test");
      }, () -> end(number)));
      ended.take();
    }
    assertTrue(submit(100, 10));
    assertEquals(100, (int) ended.take());
  }

  @Test
  public void close_someRunAndSomeWait_eachIsEndedOnce() throws Exception {
    for (int i = 0; i < 10; i++) {
      assertTrue(submit(i, 100));
    }
    started.take();
    started.take();
    queue.close();
    for (int i = 0; i < 10; i++) {
      ended.take();
    }
    assertNull("a waiting one was written", started.poll());
    assertEquals(10, ends.size());
  }

  @Test
  public void submit_closed_isEndedAndNotWritten() throws Exception {
    queue.close();
    assertTrue("nothing was dropped for want of room", submit(0, 100));
    assertEquals(0, (int) ended.take());
    assertNull(started.poll());
  }
}
