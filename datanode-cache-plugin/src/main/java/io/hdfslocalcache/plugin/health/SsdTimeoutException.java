/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.health;

import java.io.InterruptedIOException;

/** An SSD did not answer in time. */
public final class SsdTimeoutException extends InterruptedIOException {

  private static final long serialVersionUID = 1L;

  SsdTimeoutException(String message) {
    super(message);
  }
}
