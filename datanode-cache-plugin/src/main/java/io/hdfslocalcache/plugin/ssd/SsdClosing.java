/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.Closeable;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of the use of an SSD, in a thread of its own: one that hangs is left to itself. */
final class SsdClosing {

  private static final Logger LOG = LoggerFactory.getLogger(SsdClosing.class);

  private static final long CLOSE_MILLIS = 10_000;
  private static final long CLOSE_DOWN_MILLIS = 1000;

  private final SsdDirectory ssd;
  private final Thread thread;
  private final long begin = TimeAndThreads.get().nanoTime();

  /** Begins. @param closing what is to be done */
  SsdClosing(SsdDirectory ssd, Closeable closing) {
    this.ssd = ssd;
    this.thread = TimeAndThreads.get().newThread(() -> IOUtils.cleanupWithLogger(LOG, closing));
    thread.setName("local-cache-close-" + ssd.path());
    thread.start();
  }

  /**
   * Waits for the end, until a while after the beginning that is short if the SSD does not answer:
   * of several that began at once, all are waited for no longer than one.
   */
  void await() {
    try {
      long millis = ssd.io().health().mayRead() ? CLOSE_MILLIS : CLOSE_DOWN_MILLIS;
      if (!TimeAndThreads.get().join(thread, TimeUnit.MILLISECONDS.toNanos(millis)
          - (TimeAndThreads.get().nanoTime() - begin))) {
        LOG.warn("Local cache: {} did not finish in time; leaving it behind", thread.getName());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
