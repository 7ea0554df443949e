/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** A client that reads one file over and over, and compares every byte. */
final class SteadyReader implements AutoCloseable {

  private final byte[] expected;
  private final Process process;
  private final Thread thread;
  private final AtomicLong reads = new AtomicLong();
  private volatile String problem;

  /** @param process prints the file again and again */
  SteadyReader(Process process, byte[] expected) {
    this.process = process;
    this.expected = expected;
    thread = new Thread(this::compare, "steady reader");
    thread.start();
  }

  /** Waits for reads that were begun and ended after this call. */
  void awaitMoreReads() throws InterruptedException {
    long enough = reads.get() + 3;
    while (reads.get() < enough) {
      check();
      Thread.sleep(100);
    }
  }

  /** @throws AssertionError if a read failed or returned anything but the file */
  void check() {
    if (problem != null) {
      throw new AssertionError("after " + reads + " reads: " + problem);
    }
  }

  private void compare() {
    byte[] buffer = new byte[expected.length];
    try (InputStream in = process.getInputStream()) {
      while (true) {
        int length = in.readNBytes(buffer, 0, buffer.length);
        if (length < buffer.length) {
          problem = "the client has ended";
          return;
        }
        int wrong = Arrays.mismatch(expected, buffer);
        if (wrong >= 0) {
          problem = "byte " + wrong + " is wrong";
          return;
        }
        reads.incrementAndGet();
        // Slow enough that the client's list of files lasts while daemons start on a busy machine.
        Thread.sleep(200);
      }
    } catch (IOException | InterruptedException e) {
      problem = e.toString();
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    thread.interrupt();
  }
}
