/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;

import org.apache.hadoop.util.PureJavaCrc32C;

/** {@code java.util.zip.CRC32C}: the JDK's since Java 9, before Hadoop's, which is slower. */
public final class Crc32c implements Checksum {

  private static final MethodHandle MAKE =
      Newer.constructor("java.util.zip.CRC32C", Checksum.class);
  private static final MethodHandle UPDATE =
      Newer.method(Checksum.class, "update", void.class, ByteBuffer.class);

  private final Checksum checksum = make();

  private static Checksum make() {
    if (MAKE == null || UPDATE == null) {
      return new PureJavaCrc32C();
    }
    try {
      return (Checksum) MAKE.invokeExact();
    } catch (Throwable e) {
      throw Newer.thrown(e);
    }
  }

  @Override
  public void update(int b) {
    checksum.update(b);
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    checksum.update(bytes, offset, length);
  }

  public void update(byte[] bytes) {
    checksum.update(bytes, 0, bytes.length);
  }

  public void update(ByteBuffer buffer) {
    if (UPDATE == null) {
      Checksums.updateInParts(checksum, buffer);
      return;
    }
    try {
      UPDATE.invokeExact(checksum, buffer);
    } catch (Throwable e) {
      throw Newer.thrown(e);
    }
  }

  @Override
  public long getValue() {
    return checksum.getValue();
  }

  @Override
  public void reset() {
    checksum.reset();
  }
}
