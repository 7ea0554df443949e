/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** {@link Map}. */
public final class Maps {

  private Maps() {
  }

  public static <K, V> Map<K, V> of() {
    return Collections.emptyMap();
  }

  public static <K, V> Map<K, V> of(K k1, V v1) {
    return ofEntries(entry(k1, v1));
  }

  public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2) {
    return ofEntries(entry(k1, v1), entry(k2, v2));
  }

  public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3) {
    return ofEntries(entry(k1, v1), entry(k2, v2), entry(k3, v3));
  }

  public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3, K k4, V v4) {
    return ofEntries(entry(k1, v1), entry(k2, v2), entry(k3, v3), entry(k4, v4));
  }

  public static <K, V> Map.Entry<K, V> entry(K key, V value) {
    return new SimpleImmutableEntry<>(Objects.requireNonNull(key), Objects.requireNonNull(value));
  }

  @SafeVarargs
  public static <K, V> Map<K, V> ofEntries(Map.Entry<? extends K, ? extends V>... entries) {
    Map<K, V> map = new LinkedHashMap<>();
    for (Map.Entry<? extends K, ? extends V> entry : entries) {
      if (map.put(entry.getKey(), entry.getValue()) != null) {
        throw new IllegalArgumentException("twice the same key: " + entry.getKey());
      }
    }
    return Collections.unmodifiableMap(map);
  }

  public static <K, V> Map<K, V> copyOf(Map<? extends K, ? extends V> map) {
    Map<K, V> copy = new LinkedHashMap<>();
    map.forEach((key, value) ->
        copy.put(Objects.requireNonNull(key), Objects.requireNonNull(value)));
    return Collections.unmodifiableMap(copy);
  }
}
