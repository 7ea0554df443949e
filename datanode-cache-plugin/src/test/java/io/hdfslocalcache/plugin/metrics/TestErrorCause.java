/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

import static org.junit.Assert.assertEquals;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.EnumSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.page.DamagedPageException;
import org.apache.hadoop.fs.ChecksumException;
import org.junit.Test;

public class TestErrorCause {

  @Test
  public void of_fullDisk_isNoSpace() {
    // Java's messages when it writes, and when it creates a file.
    assertEquals(ErrorCause.NO_SPACE, ErrorCause.of(new IOException("No space left on device")));
    assertEquals(ErrorCause.NO_SPACE, ErrorCause.of(
        new FileSystemException("/ssd/tmp/1", null, "No space left on device")));
    assertEquals(ErrorCause.NO_SPACE, ErrorCause.of(new IOException("Disk quota exceeded")));
  }

  @Test
  public void of_fileNamedLikeAFullDisk_isIo() {
    assertEquals(ErrorCause.IO,
        ErrorCause.of(new FileSystemException("/No space left", null, "Input/output error")));
    assertEquals(ErrorCause.IO,
        ErrorCause.of(new FileSystemException("/Too many open files", null, null)));
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
    assertEquals(ErrorCause.INTERNAL,
        ErrorCause.of(new IOException("in another thread", new NullPointerException())));
  }

  @Test
  public void of_whatTheProcessLacks_isTheProcess() {
    // Java's messages when it opens a page, and a replica.
    assertProcess(new FileSystemException("/ssd/page", null, "Too many open files"));
    assertProcess(new FileNotFoundException("/hdd/blk_1 (Too many open files in system)"));
    assertProcess(new IOException("Cannot allocate memory"));
    assertProcess(new OutOfMemoryError("unable to create native thread"));
    assertProcess(new IOException("Map failed", new OutOfMemoryError("Map failed")));
    assertProcess(new IOException("in a reader", new IOException("in another thread",
        new OutOfMemoryError("Java heap space"))));
    assertProcess(new ClosedByInterruptException());
  }

  private static void assertProcess(Throwable error) {
    assertEquals(ErrorCause.PROCESS, ErrorCause.of(error));
  }

  @Test
  public void isOfDisk_onlyErrorsOfDisksAndDamage() {
    assertEquals(EnumSet.of(ErrorCause.DAMAGED, ErrorCause.IO),
        Stream.of(ErrorCause.values()).filter(ErrorCause::isOfDisk)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(ErrorCause.class))));
  }
}
