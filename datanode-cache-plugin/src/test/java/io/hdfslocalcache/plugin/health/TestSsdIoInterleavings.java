/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.plugin.Interleavings;
import io.hdfslocalcache.plugin.metrics.Operation;
import org.junit.Test;

/** Operations that begin while the SSD goes down or is closed, in many interleavings. */
public class TestSsdIoInterleavings {

  /** Counts how it ends. */
  private static final class Counted implements SsdIo.Io<Void> {
    private final AtomicInteger ends = new AtomicInteger();

    @Override
    public Void run() {
      ends.incrementAndGet();
      return null;
    }

    @Override
    public void skipped(Throwable why) {
      ends.incrementAndGet();
    }
  }

  private static final class Ssd {
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private final SsdHealth health =
        new SsdHealth(new HealthLimits(1000, 1000), () -> 0, () -> 0, (before, now, reason) -> { });
    private final SsdIo io = new SsdIo("ssd", 1, new HealthLimits(1000, 1000), health, () -> 0,
        task -> {
          Thread made = new Thread(task);
          thread.set(made);
          return made;
        });

    /** Closes it, and waits for its thread. */
    void close() {
      io.close();
      join(thread.get());
    }
  }

  private static void join(Thread thread) {
    try {
      // A thread that was never started would not end.
      if (thread != null && thread.isAlive()) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  public void begin_whileTheSsdGoesDown_endsOnceAndNobodyWaits() {
    Interleavings.check(100, () -> {
      Ssd ssd = new Ssd();
      Counted counted = new Counted();
      Thread watch = new Thread(() -> {
        ssd.health.hung(Operation.PAGE_READ, 2000);
        ssd.io.failWaiting();
      });
      watch.start();
      SsdIo.Task<Void> task = ssd.io.begin(Operation.PAGE_READ, counted);
      join(watch);
      assertTrue("who waits gives up", task.isOver());
      ssd.close();
      assertEquals("ends", 1, counted.ends.get());
    });
  }

  @Test
  public void begin_whileItIsClosed_endsOnce() {
    Interleavings.check(100, () -> {
      Ssd ssd = new Ssd();
      Counted counted = new Counted();
      Thread closing = new Thread(ssd.io::close);
      closing.start();
      SsdIo.Task<Void> task = ssd.io.begin(Operation.PAGE_READ, counted);
      join(closing);
      ssd.close();
      assertTrue(task.isOver());
      assertEquals("ends", 1, counted.ends.get());
    });
  }
}
