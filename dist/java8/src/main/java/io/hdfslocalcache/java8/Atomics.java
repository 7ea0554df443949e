/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** {@link AtomicReferenceArray} and {@link AtomicLongArray}, with stronger guarantees. */
public final class Atomics {

  private Atomics() {
  }

  public static <E> E getPlain(AtomicReferenceArray<E> array, int i) {
    return array.get(i);
  }

  public static <E> E getAcquire(AtomicReferenceArray<E> array, int i) {
    return array.get(i);
  }

  public static <E> void setPlain(AtomicReferenceArray<E> array, int i, E value) {
    array.lazySet(i, value);
  }

  public static <E> void setRelease(AtomicReferenceArray<E> array, int i, E value) {
    array.lazySet(i, value);
  }

  public static void setPlain(AtomicLongArray array, int i, long value) {
    array.lazySet(i, value);
  }
}
