/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

import io.hdfslocalcache.harness.Wait;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The readers detect wrong bytes and failed reads. */
public class TestReaders {

  private static final int LENGTH = 100_000;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final byte[] bytes = LocalCacheCluster.bytes(1, LENGTH);

  private Readers readers(Path path, byte[] expected) throws IOException {
    return new Readers(FileSystem.getLocal(new Configuration()),
        List.of(new Readers.Expected(path, expected)), 2, 1);
  }

  private Path file() throws IOException {
    File file = folder.newFile();
    Files.write(file.toPath(), bytes);
    return new Path(file.getPath());
  }

  private static void readUntil(Readers readers, Wait.Condition condition) throws IOException {
    try (readers) {
      LocalCacheCluster.await("reads", condition);
    }
  }

  @Test
  public void rightBytes_nothingFound() throws IOException {
    Readers readers = readers(file(), bytes);
    readUntil(readers, () -> readers.reads() > 50);
    assertEquals(0, readers.failed() + readers.wrong());
    assertNull(readers.firstFailure());
    assertTrue(readers.bytesRead() > 0);
  }

  @Test
  public void oneWrongByte_found() throws IOException {
    byte[] other = bytes.clone();
    other[LENGTH - 1] ^= 1;
    Readers readers = readers(file(), other);
    readUntil(readers, () -> readers.wrong() > 0);
    assertEquals(0, readers.failed());
    assertNotNull(readers.firstFailure());
  }

  @Test
  public void missingFile_failed() throws IOException {
    Readers readers = readers(new Path(folder.getRoot().getPath(), "none"), bytes);
    readUntil(readers, () -> readers.failed() > 0);
    assertEquals(0, readers.wrong());
  }
}
