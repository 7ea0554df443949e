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
import io.hdfslocalcache.replay.demo.VerifyingReader.WrongByteException;
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

  private void assertWrongAt(long offset, Read read) {
    WrongByteException wrong = assertThrows(WrongByteException.class, read::run);
    assertEquals(wrong.getMessage(), wrong.getMessage().split(":")[0],
        remote + " differs from " + local + " at offset " + offset);
    assertEquals(1, tally.wrongBytes().sum());
  }

  private interface Read {
    void run() throws IOException;
  }

  @Test
  public void read_sameBytes_isCounted() throws IOException {
    reader.readAll(file);
    reader.readPart(file, 100, 70_000);
    reader.readRange(file, LENGTH - 1, 1);
    reader.readRange(file, 5, 150_000);
    assertEquals(4, tally.reads().sum());
    assertEquals(LENGTH + 70_000 + 1 + 150_000, tally.verifiedBytes().sum());
    assertEquals(0, tally.wrongBytes().sum());
  }

  @Test
  public void readAll_lastByteDiffers_isFound() throws IOException {
    change(remote, LENGTH - 1);
    assertWrongAt(LENGTH - 1, () -> reader.readAll(file));
    assertEquals("what came before was right", LENGTH - 1, tally.verifiedBytes().sum());
  }

  @Test
  public void readPart_byteInSecondBufferDiffers_isFound() throws IOException {
    change(local, 100_000);
    reader.readPart(file, 0, 100_000);
    assertWrongAt(100_000, () -> reader.readPart(file, 1000, 99_001));
  }

  @Test
  public void readRange_byteInSecondBufferDiffers_isFound() throws IOException {
    change(local, 100_000);
    reader.readRange(file, 0, 100_000);
    assertWrongAt(100_000, () -> reader.readRange(file, 0, 100_001));
  }

  @Test
  public void readAll_remoteIsLonger_isFound() throws IOException {
    Files.write(remote, Arrays.copyOf(Files.readAllBytes(remote), LENGTH + 1));
    assertWrongAt(LENGTH, () -> reader.readAll(file));
  }

  @Test
  public void readAll_localIsLonger_isFound() throws IOException {
    Files.write(local, Arrays.copyOf(Files.readAllBytes(local), LENGTH + 1));
    assertWrongAt(LENGTH, () -> reader.readAll(file));
  }

  @Test
  public void readAll_remoteIsShorter_isFound() throws IOException {
    Files.write(remote, Arrays.copyOf(Files.readAllBytes(remote), 1000));
    assertWrongAt(1000, () -> reader.readAll(file));
  }

  @Test
  public void readAll_localIsShorter_isFound() throws IOException {
    Files.write(local, Arrays.copyOf(Files.readAllBytes(local), 1000));
    assertWrongAt(1000, () -> reader.readAll(file));
  }

  @Test
  public void readRange_remoteIsShorter_isFound() throws IOException {
    Files.write(remote, new byte[0]);
    assertWrongAt(0, () -> reader.readRange(file, 0, 10));
  }
}
