/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;

import org.apache.hadoop.util.Daemon;

/** Keeps the OS from having an SSD's files in memory for long, so that readers meet its faults. */
final class CacheDropper implements Closeable {

  private final Ssd ssd;
  private final long millis;
  private final Daemon thread = new Daemon(this::goOn);
  private volatile boolean stopped;

  CacheDropper(Ssd ssd, long millis) {
    this.ssd = ssd;
    this.millis = millis;
    thread.setName("fault-test-dropper");
    thread.start();
  }

  private void goOn() {
    while (!stopped) {
      try {
        ssd.dropCaches();
      } catch (IOException e) {
        // A file went meanwhile, or the SSD fails.
      }
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
