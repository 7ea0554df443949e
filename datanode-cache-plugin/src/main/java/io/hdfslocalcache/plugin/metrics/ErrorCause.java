/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.util.List;

import io.hdfslocalcache.plugin.page.DamagedPageException;
import org.apache.hadoop.fs.ChecksumException;

/** Why an operation of the local cache failed. */
public enum ErrorCause {
  /** The disk is full. */
  NO_SPACE("NoSpace", false),
  /** Bytes are corrupt. */
  DAMAGED("Damaged", true),
  /** There was no answer in time. The operation tells whether the SSD hangs. */
  TIMEOUT("Timeout", false),
  /** Any other error of a disk or file. */
  IO("Io", true),
  /** The process ran out of memory, threads or file descriptors, or interrupted its own thread. */
  PROCESS("Process", false),
  /** An error of the local cache itself. */
  INTERNAL("Internal", false);

  /** EMFILE, ENFILE and ENOMEM, in the words of the C library. */
  private static final List<String> PROCESS_SIGNS =
      List.of("Too many open files", "Cannot allocate memory");

  private final String metric;
  private final boolean ofDisk;

  ErrorCause(String metric, boolean ofDisk) {
    this.metric = metric;
    this.ofDisk = ofDisk;
  }

  /**
   * @return whether the error shows a failing disk, or a corrupt file on it. Other errors say
   *     nothing about an SSD or a page.
   */
  public boolean isOfDisk() {
    return ofDisk;
  }

  /** @return the cause as a label of the metric of errors. */
  public String metric() {
    return metric;
  }

  /** @return the cause of an exception. */
  public static ErrorCause of(Throwable error) {
    if (error instanceof DamagedPageException || error instanceof ChecksumException) {
      return DAMAGED;
    }
    if (error instanceof InterruptedIOException) {
      return TIMEOUT;
    }
    if (error instanceof OutOfMemoryError || error instanceof ClosedChannelException) {
      return PROCESS;
    }
    if (!(error instanceof IOException)) {
      return INTERNAL;
    }
    // Java has no classes for these; the text is the C library's.
    String text = String.valueOf(error instanceof FileSystemException fileSystem
        ? fileSystem.getReason() : error.getMessage());
    if (text.contains("No space left") || text.contains("quota exceeded")) {
      return NO_SPACE;
    }
    if (PROCESS_SIGNS.stream().anyMatch(text::contains)) {
      return PROCESS;
    }
    // Thrown in another thread, or by the JVM's own code for files.
    return error.getCause() == null ? IO : of(error.getCause());
  }
}
