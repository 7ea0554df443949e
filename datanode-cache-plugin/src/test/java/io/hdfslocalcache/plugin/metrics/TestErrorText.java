/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

import org.junit.Test;

public class TestErrorText {

  @Test
  public void of_errorsOfFiles_haveFileAndReason() {
    assertEquals("/a: Permission denied", ErrorText.of(new AccessDeniedException("/a")));
    assertEquals("/a: No such file or directory", ErrorText.of(new NoSuchFileException("/a")));
    assertEquals("/a: File exists", ErrorText.of(new FileAlreadyExistsException("/a")));
    assertEquals("/a: Not a directory", ErrorText.of(new NotDirectoryException("/a")));
    assertEquals("/a: Input/output error",
        ErrorText.of(new FileSystemException("/a", null, "Input/output error")));
    assertEquals("/a -> /b: Permission denied",
        ErrorText.of(new AccessDeniedException("/a", "/b", null)));
    assertEquals("/a: Permission denied",
        ErrorText.of(new UncheckedIOException(new AccessDeniedException("/a"))));
  }

  @Test
  public void of_otherErrors_isTheMessageOrTheClass() {
    assertEquals("broken", ErrorText.of(new IOException("broken")));
    assertEquals("java.io.IOException", ErrorText.of(new IOException()));
    assertEquals("java.io.IOException: ", ErrorText.of(new IOException("")));
    assertEquals("java.lang.NoClassDefFoundError: io/Missing",
        ErrorText.of(new NoClassDefFoundError("io/Missing")));
    assertEquals("java.lang.NullPointerException", ErrorText.of(new NullPointerException()));
    assertEquals("java.lang.IllegalStateException: closed",
        ErrorText.of(new IllegalStateException("closed")));
    assertEquals("must be 1", ErrorText.of(new IllegalArgumentException("must be 1")));
    assertEquals("must be 1", ErrorText.of(new NumberFormatException("must be 1")));
  }
}
