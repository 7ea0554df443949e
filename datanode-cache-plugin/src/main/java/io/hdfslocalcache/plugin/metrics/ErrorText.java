/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Describes an exception for operators. Some file exceptions have only a path as message, and their
 * class tells the reason: it is put in the words of the C library, as for other errors.
 */
public final class ErrorText {

  private ErrorText() {
  }

  /** @return the error in words, with the file if there is one. */
  public static String of(Throwable error) {
    if (error instanceof UncheckedIOException) {
      return of(error.getCause());
    }
    if (error instanceof FileSystemException file && file.getReason() == null) {
      return error.getMessage() == null ? reason(file) : error.getMessage() + ": " + reason(file);
    }
    String message = error.getMessage();
    // The message of an Error may be just the name of a class, or of a part of memory. A runtime
    // exception shows a bug, so its class is needed. The message about a wrong argument is
    // complete.
    return message == null || message.isBlank() || error instanceof Error
        || error instanceof RuntimeException && !(error instanceof IllegalArgumentException)
        ? error.toString() : message;
  }

  /** @return the error in words, without the file. */
  public static String reason(FileSystemException error) {
    return error.getReason() != null ? error.getReason()
        : error instanceof AccessDeniedException ? "Permission denied"
        : error instanceof NoSuchFileException ? "No such file or directory"
        : error instanceof FileAlreadyExistsException ? "File exists"
        : error instanceof NotDirectoryException ? "Not a directory"
        : error instanceof DirectoryNotEmptyException ? "Directory not empty"
        : error.getClass().getSimpleName();
  }
}
