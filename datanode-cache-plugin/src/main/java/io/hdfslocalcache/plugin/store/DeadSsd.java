/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;

import io.hdfslocalcache.plugin.health.SsdTimeoutException;

/**
 * Tells an SSD that is broken when the DataNode starts from a wrong configuration: the one must not
 * keep the DataNode down, the other must.
 */
final class DeadSsd {

  /** EIO, EROFS, EUCLEAN, ENXIO, ESTALE and ENOTCONN, in the words of the C library. */
  private static final List<String> SIGNS = List.of("Input/output error", "Read-only file system",
      "Structure needs cleaning", "No such device or address", "Stale file handle",
      "Transport endpoint is not connected");

  private DeadSsd() {
  }

  /** @return whether the error, or what caused it, is one of a device, or that it hangs. */
  static boolean shows(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SsdTimeoutException) {
        return true;
      }
      String text = cause instanceof FileSystemException fileSystem
          ? fileSystem.getReason() : cause.getMessage();
      if (cause instanceof IOException && text != null
          && SIGNS.stream().anyMatch(text::contains)) {
        return true;
      }
    }
    return false;
  }
}
