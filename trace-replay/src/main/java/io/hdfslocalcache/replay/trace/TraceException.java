/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.IOException;

/** A trace that cannot be used. The message is one line for the user. */
public final class TraceException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Creates one with a message for the user. */
  public TraceException(String message) {
    super(message);
  }

  /** Creates one with a message for the user and a cause for the log. */
  public TraceException(String message, Throwable cause) {
    super(message, cause);
  }
}
