/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;

/** {@link ByteBuffer}. */
public final class Buffers {

  private static final MethodHandle ALIGNED =
      Newer.method(ByteBuffer.class, "alignedSlice", ByteBuffer.class, int.class);

  private Buffers() {
  }

  public static ByteBuffer position(ByteBuffer buffer, int position) {
    buffer.position(position);
    return buffer;
  }

  public static ByteBuffer limit(ByteBuffer buffer, int limit) {
    buffer.limit(limit);
    return buffer;
  }

  public static ByteBuffer clear(ByteBuffer buffer) {
    buffer.clear();
    return buffer;
  }

  public static ByteBuffer flip(ByteBuffer buffer) {
    buffer.flip();
    return buffer;
  }

  public static ByteBuffer rewind(ByteBuffer buffer) {
    buffer.rewind();
    return buffer;
  }

  public static ByteBuffer slice(ByteBuffer buffer, int index, int length) {
    if ((index | length) < 0 || length > buffer.limit() - index) {
      throw new IndexOutOfBoundsException(index + ", " + length + " of " + buffer);
    }
    ByteBuffer part = buffer.duplicate();
    part.limit(index + length);
    part.position(index);
    return part.slice();
  }

  /** Not aligned on Java 8: only direct I/O has to be, and Java 8 has none. */
  public static ByteBuffer alignedSlice(ByteBuffer buffer, int unit) {
    if (ALIGNED == null) {
      return slice(buffer, buffer.position(), buffer.remaining() / unit * unit);
    }
    try {
      return (ByteBuffer) ALIGNED.invokeExact(buffer, unit);
    } catch (Throwable e) {
      throw Newer.thrown(e);
    }
  }

  public static ByteBuffer put(ByteBuffer buffer, int index, byte[] bytes) {
    slice(buffer, index, bytes.length).put(bytes);
    return buffer;
  }

  public static ByteBuffer put(ByteBuffer buffer, int index, ByteBuffer source, int from,
      int length) {
    slice(buffer, index, length).put(slice(source, from, length));
    return buffer;
  }
}
