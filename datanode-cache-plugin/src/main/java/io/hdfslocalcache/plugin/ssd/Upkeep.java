/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.Closeable;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.health.Rounds;
import org.apache.hadoop.util.Daemon;

/** Does what has to be done for an SSD from time to time, in a thread that may get stuck with it. */
final class Upkeep implements Closeable {

  private static final long PERIOD_MILLIS = 1000;
  private static final long CLOSE_SECONDS = 2;

  /** After so many rounds, what has been written to the SSD is kept. */
  private static final int SELDOM = 30;

  private final ScheduledThreadPoolExecutor thread;

  /**
   * Begins to watch over the space on an SSD.
   *
   * @param kept keeps what has been written to it
   */
  static Upkeep of(SsdDirectory ssd, KeptState kept) {
    AtomicInteger round = new AtomicInteger();
    return new Upkeep("local-cache-upkeep-" + ssd.path(), isClosing -> {
      ssd.checkSpace(isClosing);
      ssd.wear().sample();
      ssd.deleteAgain(isClosing);
      if (round.incrementAndGet() % SELDOM == 0) {
        kept.refresh(ssd.root());
      }
    });
  }

  /** @param task is told whether it should end early */
  Upkeep(String name, Consumer<BooleanSupplier> task) {
    thread = new ScheduledThreadPoolExecutor(1, work -> {
      Daemon daemon = new Daemon(work);
      daemon.setName(name);
      return daemon;
    });
    thread.scheduleWithFixedDelay(
        new Rounds("the upkeep of an SSD (" + name + ")", () -> task.accept(thread::isShutdown)),
        PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    // Without an interrupt, which would close files that readers share.
    thread.shutdown();
    try {
      thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
