/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;

import io.hdfslocalcache.plugin.page.DamagedPageException;
import org.apache.hadoop.fs.ChecksumException;

/** Why an operation of the local cache failed. */
public enum ErrorCause {
  /** The disk is full. */
  NO_SPACE("NoSpace"),
  /** Bytes are not what they should be. */
  DAMAGED("Damaged"),
  /** The SSD did not answer in time. */
  TIMEOUT("Timeout"),
  /** Any other error of a disk or file. */
  IO("Io"),
  /** An error of the local cache itself. */
  INTERNAL("Internal");

  private final String metric;

  ErrorCause(String metric) {
    this.metric = metric;
  }

  /** @return the cause's part in the name of an error metric. */
  public String metric() {
    return metric;
  }

  /** @return the cause that an exception shows. */
  public static ErrorCause of(Throwable error) {
    if (error instanceof DamagedPageException || error instanceof ChecksumException) {
      return DAMAGED;
    }
    if (error instanceof InterruptedIOException) {
      return TIMEOUT;
    }
    if (error instanceof IOException) {
      return isNoSpace((IOException) error) ? NO_SPACE : IO;
    }
    return INTERNAL;
  }

  private static boolean isNoSpace(IOException error) {
    // Java has no class for ENOSPC; the text is the C library's.
    String text = error instanceof FileSystemException fileSystem
        ? fileSystem.getReason() : error.getMessage();
    return text != null && (text.contains("No space left") || text.contains("quota exceeded"));
  }
}
