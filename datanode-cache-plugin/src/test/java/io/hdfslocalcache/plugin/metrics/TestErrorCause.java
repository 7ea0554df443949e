/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import static org.junit.Assert.assertEquals;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

import io.hdfslocalcache.plugin.page.DamagedPageException;
import org.apache.hadoop.fs.ChecksumException;
import org.junit.Test;

public class TestErrorCause {

  @Test
  public void of_fullDisk_isNoSpace() {
    // As Java says it when it writes, and when it creates a file.
    assertEquals(ErrorCause.NO_SPACE, ErrorCause.of(new IOException("No space left on device")));
    assertEquals(ErrorCause.NO_SPACE, ErrorCause.of(
        new FileSystemException("/ssd/tmp/1", null, "No space left on device")));
    assertEquals(ErrorCause.NO_SPACE, ErrorCause.of(new IOException("Disk quota exceeded")));
  }

  @Test
  public void of_fileNamedLikeAFullDisk_isIo() {
    assertEquals(ErrorCause.IO,
        ErrorCause.of(new FileSystemException("/No space left", null, "Input/output error")));
  }

  @Test
  public void of_wrongBytes_isDamaged() {
    assertEquals(ErrorCause.DAMAGED, ErrorCause.of(new DamagedPageException("page", null)));
    assertEquals(ErrorCause.DAMAGED, ErrorCause.of(new ChecksumException("replica", 0)));
  }

  @Test
  public void of_otherErrorOfADisk_isIo() {
    assertEquals(ErrorCause.IO, ErrorCause.of(new EOFException()));
    assertEquals(ErrorCause.IO, ErrorCause.of(new NoSuchFileException("/ssd/page")));
  }

  @Test
  public void of_anythingElse_isInternal() {
    assertEquals(ErrorCause.INTERNAL, ErrorCause.of(new NullPointerException()));
    assertEquals(ErrorCause.INTERNAL, ErrorCause.of(new OutOfMemoryError("a test")));
  }
}
