/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;

/**
 * What the JDK knows of mappings of files, and tells only through {@code sun.misc.Unsafe}: how one
 * is ended at once, for the garbage collector would do it some time, and keep the space of a
 * removed file until then; and where it is.
 */
final class Mappings {

  private static final MethodHandle CLEANER;
  private static final MethodHandle ADDRESS;
  private static final int PAGE;

  static {
    MethodHandle cleaner = null;
    MethodHandle address = null;
    int page = 0;
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      Object unsafe = field.get(null);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      cleaner = lookup.findVirtual(type, "invokeCleaner", methodType(void.class, ByteBuffer.class))
          .bindTo(unsafe);
      page = (int) lookup.findVirtual(type, "pageSize", methodType(int.class)).invoke(unsafe);
      long offset = (long) lookup
          .findVirtual(type, "objectFieldOffset", methodType(long.class, Field.class))
          .invoke(unsafe, Buffer.class.getDeclaredField("address"));
      address = MethodHandles.insertArguments(lookup
          .findVirtual(type, "getLong", methodType(long.class, Object.class, long.class))
          .bindTo(unsafe), 1, offset);
    } catch (Throwable e) {
      // What could not be had is null.
    }
    CLEANER = cleaner;
    ADDRESS = address;
    PAGE = page;
  }

  private Mappings() {
  }

  /** @return whether a mapping can be ended. */
  static boolean canEnd() {
    return CLEANER != null;
  }

  /** Ends a mapping. Nobody may use it, or a slice of it, any more. */
  static void end(MappedByteBuffer mapping) {
    try {
      CLEANER.invoke((ByteBuffer) mapping);
    } catch (Throwable e) {
      throw new IllegalStateException("unmapping a page file", e);
    }
  }

  /** @return whether it can be told where mappings are. */
  static boolean haveAddress() {
    return ADDRESS != null;
  }

  /** @return bytes of a page of memory. */
  static int pageSize() {
    return PAGE;
  }

  /** @return where a mapping begins in the memory of the process, in bytes. */
  static long address(MappedByteBuffer mapping) {
    try {
      return (long) ADDRESS.invoke((Object) mapping);
    } catch (Throwable e) {
      throw new IllegalStateException("the address of a mapping", e);
    }
  }
}
