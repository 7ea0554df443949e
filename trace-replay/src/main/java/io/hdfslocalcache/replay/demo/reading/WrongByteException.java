/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo.reading;

import java.io.IOException;

/** A client got other bytes than the local file has: the one thing that must never happen. */
public final class WrongByteException extends IOException {

  private static final long serialVersionUID = 1L;

  private WrongByteException(SourceFile file, long offset, String difference) {
    super(file.inHdfs() + " differs from " + file.local() + " at offset " + offset + ": "
        + difference);
  }

  /** A byte has another value. */
  static WrongByteException of(SourceFile file, long offset, byte inHdfs, byte local) {
    return new WrongByteException(file, offset,
        String.format("0x%02x in HDFS, 0x%02x in the local file", inHdfs, local));
  }

  /** One of the two has no byte there. */
  static WrongByteException ofEnd(SourceFile file, long offset, String which) {
    return new WrongByteException(file, offset, which + " ends there");
  }
}
