/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/** {@link Set}. */
public final class Sets {

  private Sets() {
  }

  public static <E> Set<E> of() {
    return Collections.emptySet();
  }

  public static <E> Set<E> of(E a) {
    return ofAll(a);
  }

  public static <E> Set<E> of(E a, E b) {
    return ofAll(a, b);
  }

  public static <E> Set<E> of(E a, E b, E c) {
    return ofAll(a, b, c);
  }

  public static <E> Set<E> of(E a, E b, E c, E d) {
    return ofAll(a, b, c, d);
  }

  public static <E> Set<E> of(E a, E b, E c, E d, E e) {
    return ofAll(a, b, c, d, e);
  }

  public static <E> Set<E> of(E a, E b, E c, E d, E e, E f) {
    return ofAll(a, b, c, d, e, f);
  }

  public static <E> Set<E> of(E a, E b, E c, E d, E e, E f, E g) {
    return ofAll(a, b, c, d, e, f, g);
  }

  public static <E> Set<E> of(E a, E b, E c, E d, E e, E f, E g, E h) {
    return ofAll(a, b, c, d, e, f, g, h);
  }

  public static <E> Set<E> of(E a, E b, E c, E d, E e, E f, E g, E h, E i) {
    return ofAll(a, b, c, d, e, f, g, h, i);
  }

  public static <E> Set<E> of(E a, E b, E c, E d, E e, E f, E g, E h, E i, E j) {
    return ofAll(a, b, c, d, e, f, g, h, i, j);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  public static <E> Set<E> of(E... all) {
    return ofAll(all);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static <E> Set<E> ofAll(E... all) {
    Set<E> set = new LinkedHashSet<>();
    for (E each : all) {
      if (!set.add(Objects.requireNonNull(each))) {
        throw new IllegalArgumentException("twice the same element: " + each);
      }
    }
    return Collections.unmodifiableSet(set);
  }
}
