/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;

/**
 * Ends the mapping of a file at once. The garbage collector would do it some time, and keep the
 * space of a removed file until then.
 */
final class Unmapper {

  private static final MethodHandle CLEANER = find();

  private Unmapper() {
  }

  private static MethodHandle find() {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      return MethodHandles.lookup()
          .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
          .bindTo(instance.get(null));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  static boolean isAvailable() {
    return CLEANER != null;
  }

  /** Nobody may use the mapping, or a slice of it, any more. */
  static void unmap(MappedByteBuffer mapping) {
    try {
      CLEANER.invoke((ByteBuffer) mapping);
    } catch (Throwable e) {
      throw new IllegalStateException("unmapping a page file", e);
    }
  }
}
