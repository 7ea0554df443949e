/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Numbers in as few bytes as they need: seven bits a byte, the lowest first (LEB128). */
final class Varints {

  /** Bytes of the longest number. */
  static final int MAX_BYTES = 10;

  private static final int BITS = 7;
  private static final int MORE = 1 << BITS;

  private Varints() {
  }

  /** Appends a number; a negative one takes {@link #MAX_BYTES}. */
  static void put(ByteBuffer to, long number) {
    long rest = number;
    while ((rest & -MORE) != 0) {
      to.put((byte) (rest & MORE - 1 | MORE));
      rest >>>= BITS;
    }
    to.put((byte) rest);
  }

  /** Appends a number that may be negative and is probably small. */
  static void putSigned(ByteBuffer to, long number) {
    put(to, number << 1 ^ number >> Long.SIZE - 1);
  }

  /** Appends a text, its length before it. */
  static void put(ByteBuffer to, byte[] text) {
    put(to, text.length);
    to.put(text);
  }

  /**
   * Reads a number.
   *
   * @throws BufferUnderflowException if there is none
   */
  static long get(ByteBuffer from) {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += BITS) {
      byte next = from.get();
      number |= (long) (next & MORE - 1) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new BufferUnderflowException();
  }

  /** Reads what {@link #putSigned} wrote. */
  static long getSigned(ByteBuffer from) {
    long number = get(from);
    return number >>> 1 ^ -(number & 1);
  }

  /** Reads a text. */
  static String getText(ByteBuffer from) {
    long length = get(from);
    if (length < 0 || length > from.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] text = new byte[(int) length];
    from.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
