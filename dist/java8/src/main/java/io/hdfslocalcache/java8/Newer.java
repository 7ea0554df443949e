/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Finds what a newer JDK has. */
final class Newer {

  private Newer() {
  }

  /** @return null before the release that has it. */
  static MethodHandle method(Class<?> of, String name, Class<?> result, Class<?>... parameters) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(of, name, MethodType.methodType(result, parameters));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  /** @return makes an object of a class, as another type; null before the release that has it. */
  static MethodHandle constructor(String name, Class<?> as) {
    try {
      return MethodHandles.publicLookup()
          .findConstructor(Class.forName(name), MethodType.methodType(void.class))
          .asType(MethodType.methodType(as));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Throws what a method handle has thrown, of a method that throws nothing checked. */
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
