/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.Interleavings;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import org.junit.Test;

/** A request that comes while the scheduler is closed, in the orders that their steps can have. */
public class TestFillSchedulerInterleavings {

  private static final int PAGE = 4096;

  private static FillRequest request(long id) {
    return FillRequest.order(
        "volume", new ReplicaSnapshot(new BlockKey("pool", id), 1001, PAGE), null);
  }

  @Test
  public void close_whileRequestsCome_leavesNothingInTheQueue() {
    Interleavings.check(100, () -> {
      FillScheduler scheduler = new FillScheduler(PAGE, new ThreadPoolExecutor(
          1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()), 100, request -> { });
      scheduler.submit(request(1));
      Thread submitter = new Thread(() -> scheduler.submit(request(2)));
      submitter.start();
      scheduler.close(0);
      join(submitter);
      assertEquals("pages that wait for nobody", 0, scheduler.queuedPages());
    });
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
