/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.Closeable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.health.Rounds;
import io.hdfslocalcache.time.TimeAndThreads;

/** Does what has to be done for an SSD from time to time, in a thread that may get stuck with it. */
final class Upkeep implements Closeable {

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long CLOSE_SECONDS = 2;

  /** After so many rounds, what has been written to the SSD is kept. */
  private static final int SELDOM = 30;

  private final TimeAndThreads.Repetition thread;
  private volatile boolean isClosing;

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
    thread = TimeAndThreads.get().repeat(name, PERIOD_NANOS,
        new Rounds("the upkeep of an SSD (" + name + ")", () -> task.accept(() -> isClosing)));
  }

  @Override
  public void close() {
    // Without an interrupt, which would close files that readers share.
    isClosing = true;
    thread.stop();
    try {
      thread.await(TimeUnit.SECONDS.toNanos(CLOSE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
