/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.disk;

import java.io.IOException;

/** A disk, or a group of processes, that cannot be had here; the message is for the user. */
public final class DiskException extends IOException {

  DiskException(String message) {
    super(message);
  }

  DiskException(String message, Throwable cause) {
    super(message, cause);
  }
}
