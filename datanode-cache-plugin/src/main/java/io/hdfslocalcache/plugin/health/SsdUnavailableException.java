/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.io.IOException;

/** An SSD is not used at present because of earlier errors. Not a new error. */
public final class SsdUnavailableException extends IOException {

  private static final long serialVersionUID = 1L;

  /** @param message why the SSD is not used */
  public SsdUnavailableException(String message) {
    super(message);
  }

  /** No stack trace: this is thrown for every read that waits when an SSD goes down. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
