/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.io.IOException;

/** Bytes that were in memory cannot be had any more. The reader goes on without them. */
public final class LostBytesException extends IOException {

  private static final long serialVersionUID = 1L;

  /** @param cause what was seen of it; null: nothing */
  public LostBytesException(String message, Throwable cause) {
    super(message, cause);
  }
}
