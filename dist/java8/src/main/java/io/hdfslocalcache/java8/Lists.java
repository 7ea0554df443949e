/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/** {@link List}. */
public final class Lists {

  private Lists() {
  }

  public static <E> List<E> of() {
    return Collections.emptyList();
  }

  public static <E> List<E> of(E a) {
    return Collections.singletonList(Objects.requireNonNull(a));
  }

  public static <E> List<E> of(E a, E b) {
    return ofAll(a, b);
  }

  public static <E> List<E> of(E a, E b, E c) {
    return ofAll(a, b, c);
  }

  public static <E> List<E> of(E a, E b, E c, E d) {
    return ofAll(a, b, c, d);
  }

  public static <E> List<E> of(E a, E b, E c, E d, E e) {
    return ofAll(a, b, c, d, e);
  }

  public static <E> List<E> of(E a, E b, E c, E d, E e, E f) {
    return ofAll(a, b, c, d, e, f);
  }

  public static <E> List<E> of(E a, E b, E c, E d, E e, E f, E g) {
    return ofAll(a, b, c, d, e, f, g);
  }

  public static <E> List<E> of(E a, E b, E c, E d, E e, E f, E g, E h) {
    return ofAll(a, b, c, d, e, f, g, h);
  }

  public static <E> List<E> of(E a, E b, E c, E d, E e, E f, E g, E h, E i) {
    return ofAll(a, b, c, d, e, f, g, h, i);
  }

  public static <E> List<E> of(E a, E b, E c, E d, E e, E f, E g, E h, E i, E j) {
    return ofAll(a, b, c, d, e, f, g, h, i, j);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  public static <E> List<E> of(E... all) {
    return ofAll(all.clone());
  }

  public static <E> List<E> copyOf(Collection<? extends E> all) {
    List<E> copy = new ArrayList<>(all);
    copy.forEach(Objects::requireNonNull);
    return Collections.unmodifiableList(copy);
  }

  public static <E, T> T[] toArray(List<E> list, IntFunction<T[]> make) {
    return list.toArray(make.apply(0));
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static <E> List<E> ofAll(E... all) {
    for (E each : all) {
      Objects.requireNonNull(each);
    }
    return Collections.unmodifiableList(Arrays.asList(all));
  }
}
