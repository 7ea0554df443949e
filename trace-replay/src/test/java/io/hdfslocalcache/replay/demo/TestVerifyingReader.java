/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

import io.hdfslocalcache.replay.demo.VerifyingReader.Source;
import io.hdfslocalcache.replay.demo.VerifyingReader.Tally;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** No difference between two files escapes the reader, wherever it is. */
public class TestVerifyingReader {

  private static final int LENGTH = 200_001;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private final Tally tally = new Tally();
  private FileSystem fs;
  private Path remote;
  private Path local;
  private Source file;
  private VerifyingReader reader;

  @Before
  public void writeBoth() throws IOException {
    fs = FileSystem.newInstanceLocal(new Configuration());
    FileSystem raw = ((LocalFileSystem) fs).getRaw();
    remote = temporary.getRoot().toPath().resolve("remote");
    local = temporary.getRoot().toPath().resolve("local");
    byte[] bytes = new byte[LENGTH];
    new Random(1).nextBytes(bytes);
    Files.write(remote, bytes);
    Files.write(local, bytes);
    file = new Source(remote.toString(), local, LENGTH);
    reader = new VerifyingReader(raw, tally);
  }

  @After
  public void close() throws IOException {
    fs.close();
  }

  private void change(Path path, int offset) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    bytes[offset] ^= 1;
    Files.write(path, bytes);
  }

  private void assertWrongAt(long wrongOffset, long offset, long length, boolean positioned) {
    long before = tally.wrongBytes().sum();
    IOException wrong = assertThrows(IOException.class,
        () -> reader.read(file, offset, length, positioned));
    assertEquals(wrong.getMessage(), wrong.getMessage().split(":")[0],
        remote + " differs from " + local + " at offset " + wrongOffset);
    assertEquals(before + 1, tally.wrongBytes().sum());
  }

  @Test
  public void read_sameBytes_isCounted() throws IOException {
    reader.read(file, 0, LENGTH, false);
    reader.read(file, 100, 70_000, false);
    reader.read(file, LENGTH - 1, 1, true);
    reader.read(file, 5, 150_000, true);
    assertEquals(4, tally.reads().sum());
    assertEquals(LENGTH + 70_000 + 1 + 150_000, tally.verifiedBytes().sum());
    assertEquals(0, tally.wrongBytes().sum());
  }

  @Test
  public void lastByteDiffers_isFound() throws IOException {
    change(remote, LENGTH - 1);
    assertWrongAt(LENGTH - 1, 0, LENGTH, false);
    assertEquals("what came before was right", LENGTH - 1, tally.verifiedBytes().sum());
  }

  @Test
  public void byteInSecondBufferDiffers_isFound() throws IOException {
    change(local, 100_000);
    for (boolean positioned : new boolean[] {false, true}) {
      reader.read(file, 0, 100_000, positioned);
      assertWrongAt(100_000, 1000, 99_001, positioned);
    }
  }

  @Test
  public void oneIsLongerOrShorter_isFound() throws IOException {
    byte[] bytes = Files.readAllBytes(local);
    for (Path path : new Path[] {remote, local}) {
      Files.write(path, Arrays.copyOf(bytes, LENGTH + 1));
      assertWrongAt(LENGTH, 0, LENGTH, false);
      Files.write(path, Arrays.copyOf(bytes, 1000));
      assertWrongAt(path.equals(local) ? 1000 : 0, 0, LENGTH, false);
      Files.write(path, bytes);
    }
    Files.write(remote, new byte[0]);
    assertWrongAt(0, 0, 10, true);
  }
}
