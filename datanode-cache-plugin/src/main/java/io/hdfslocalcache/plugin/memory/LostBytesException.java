/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.io.IOException;

/** Bytes in memory cannot be read any more. The reader continues without them. */
public final class LostBytesException extends IOException {

  private static final long serialVersionUID = 1L;

  /** @param cause the error, or null */
  public LostBytesException(String message, Throwable cause) {
    super(message, cause);
  }
}
