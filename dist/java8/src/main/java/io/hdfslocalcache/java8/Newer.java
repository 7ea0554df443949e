/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Finds methods of a newer JDK. */
final class Newer {

  private Newer() {
  }

  /** @return null in older releases. */
  static MethodHandle method(Class<?> of, String name, Class<?> result, Class<?>... parameters) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(of, name, MethodType.methodType(result, parameters));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  /** @return makes an object of a class, as another type; null in older releases. */
  static MethodHandle constructor(String name, Class<?> as) {
    try {
      return MethodHandles.publicLookup()
          .findConstructor(Class.forName(name), MethodType.methodType(void.class))
          .asType(MethodType.methodType(as));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Rethrows an exception of a method handle, whose method throws no checked exceptions. */
  static AssertionError thrown(Throwable e) {
    if (e instanceof RuntimeException) {
      throw (RuntimeException) e;
    }
    if (e instanceof Error) {
      throw (Error) e;
    }
    return new AssertionError(e);
  }
}
