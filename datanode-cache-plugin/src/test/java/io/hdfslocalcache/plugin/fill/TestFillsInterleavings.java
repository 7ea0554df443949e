/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.plugin.Interleavings;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import org.junit.Test;

/** A request that arrives while fills are closed, in many interleavings. */
public class TestFillsInterleavings {


  private static final int ORDERS = 700;
  private static final int PAGE = 4096;

  private static FillRequest request(Volume volume, long id) {
    return FillRequest.order(
        volume, new ReplicaSnapshot(new BlockKey("pool", id), 1001, PAGE), null);
  }

  @Test
  public void close_whileRequestsCome_leavesNothingInTheQueue() {
    Interleavings.check(ORDERS, () -> {
      Threads threads = new Threads();
      Fills fills = new Fills(PAGE, 100, threads, request -> { }, null);
      Volume volume = new Volume(System::nanoTime);
      fills.submit(request(volume, 1));
      Runnable drain = threads.given.get();
      Interleavings.together(drain, () -> fills.submit(request(volume, 2)), fills::close);
      assertEquals("pages left waiting", 0, fills.queuedPages());
    });
  }

  /**
   * Threads that start when the check lets them. A real pool takes so many steps of its own that
   * the interleavings that matter are not tried.
   */
  private static final class Threads extends ThreadPoolExecutor {

    private final AtomicReference<Runnable> given = new AtomicReference<>();
    private volatile boolean isShutDown;

    Threads() {
      super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    }

    @Override
    public void execute(Runnable task) {
      if (isShutDown) {
        throw new RejectedExecutionException();
      }
      given.set(task);
    }

    @Override
    public List<Runnable> shutdownNow() {
      isShutDown = true;
      return List.of();
    }

    @Override
    public boolean awaitTermination(long time, TimeUnit unit) {
      return true;
    }
  }
}
