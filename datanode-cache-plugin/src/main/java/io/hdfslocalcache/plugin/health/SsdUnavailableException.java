/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.io.IOException;

/** An SSD is not asked at present, because of what it did before. Not an error of its own. */
public final class SsdUnavailableException extends IOException {

  private static final long serialVersionUID = 1L;

  /** @param message why the SSD is not asked */
  public SsdUnavailableException(String message) {
    super(message);
  }

  /** Says no more than its message: thrown for every read that waits when an SSD goes down. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
