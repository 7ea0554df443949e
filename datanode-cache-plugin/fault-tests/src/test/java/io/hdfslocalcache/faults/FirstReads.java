/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.harness.Wait;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Daemon;

/**
 * Files whose pages are on the SSDs and were never read from there. During a fault they are read for
 * the first time, one after the other, and deleted: on a file system with access times both need
 * its journal.
 */
final class FirstReads implements Closeable {

  private static final int FILES = 10;
  private static final int LENGTH = 120_000;
  private static final Duration FILL = Duration.ofSeconds(5);

  private final LocalCacheCluster cluster;
  private final String directory = "/first-reads-" + System.nanoTime();
  private final List<byte[]> files = new ArrayList<>();
  private Daemon thread;
  private volatile Throwable failure;
  private volatile boolean stopped;

  /** Writes the files, and has their pages filled. */
  FirstReads(FaultCluster cluster) throws IOException {
    this.cluster = cluster.cluster();
    for (int i = 0; i < FILES; i++) {
      files.add(this.cluster.write(name(i), LENGTH));
      read(i);
    }
    Wait.until(() -> pages() >= FILES * (LENGTH / LocalCacheCluster.PAGE), FILL, 20);
  }

  private String name(int file) {
    return directory + "/" + file;
  }

  private long pages() throws IOException {
    long pages = 0;
    for (int i = 0; i < FILES; i++) {
      var block = cluster.cached(0, name(i));
      pages += block == null ? 0 : block.pages();
    }
    return pages;
  }

  /** The fault has begun, and takes so long: all is read in this time. */
  void begin(long millis) {
    thread = new Daemon(() -> {
      try {
        for (int i = 0; i < FILES && !stopped; i++) {
          read(i);
          cluster.fs().delete(new Path(name(i)), false);
          Wait.millis(millis / (FILES + 2));
        }
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
      }
    });
    thread.setName("fault-test-first-reads");
    thread.start();
  }

  private void read(int file) throws IOException {
    Background.readAndCompare(cluster, name(file), files.get(file));
  }

  /** @return what went wrong, or null. */
  Throwable failure() {
    return failure;
  }

  @Override
  public void close() throws IOException {
    stopped = true;
    try {
      if (thread != null) {
        thread.join(TimeUnit.SECONDS.toMillis(60));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    cluster.fs().delete(new Path(directory), true);
  }
}
