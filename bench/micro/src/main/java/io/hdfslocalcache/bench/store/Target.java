/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.store;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Where a thread reads next, and where to. */
@State(Scope.Thread)
public class Target {

  private static final int LARGEST = 64 << 10;

  private final SplittableRandom random = new SplittableRandom(Thread.currentThread().getId());
  private final byte[] array = new byte[LARGEST];
  private final ByteBuffer heap = ByteBuffer.wrap(array);
  private final ByteBuffer direct = ByteBuffer.allocateDirect(LARGEST);

  int page() {
    return random.nextInt(Pages.COUNT);
  }

  /** @return a multiple of 4 KB from which a read fits into the page. */
  int offset(int size) {
    return random.nextInt((Pages.PAGE - size) / 4096 + 1) * 4096;
  }

  byte[] array() {
    return array;
  }

  ByteBuffer heap(int size) {
    return heap.clear().limit(size);
  }

  ByteBuffer direct(int size) {
    return direct.clear().limit(size);
  }
}
