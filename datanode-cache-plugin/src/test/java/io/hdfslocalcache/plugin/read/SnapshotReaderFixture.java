/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.config.Verification;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.store.OpenPage;
import io.hdfslocalcache.plugin.store.TestingSsd;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** A replica of four pages and a bit, some of which are cached, and a reader of it. */
public abstract class SnapshotReaderFixture {

  static final int PAGE = TestingSsd.PAGE;
  static final int LENGTH = 4 * PAGE + 700;
  /** Bytes of the checksums of a full page. */
  static final int SUMS = PAGE / 512 * 4;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  Path root;
  TestingSsd ssd;
  TestingReplica replica;
  TestingPageSource pages;
  CachedBlock block;
  SnapshotReader reader;

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    ssd = TestingSsd.open(root.resolve("ssd"));
    replica = TestingReplica.create(root, 1, LENGTH);
    pages = new TestingPageSource(ssd.directory());
  }

  @After
  public void close() throws IOException {
    reader.close();
    reader.close();
    assertEquals("the replica stays open", replica.opens(), replica.closes());
    ssd.close();
    assertEquals(List.of(), TestingSsd.openFilesBelow(root));
  }

  /** @return when pages are verified in these tests. */
  Verification verification() {
    return Verification.ALWAYS;
  }

  /** Caches these pages, and begins to read. */
  void cache(int... numbers) throws IOException {
    block = ssd.cache(replica, numbers);
    reader = newReader();
  }

  /** @return a reader to which these pages are not too small to be proven. */
  SnapshotReader newReader() {
    return new SnapshotReader(block, pages, replica,
        new RangeLoader(block, pages, verification(), 0));
  }

  /** @return whether file system and kernel tell what is in memory, and has been for how long. */
  boolean tellsWhatIsInMemory() throws IOException {
    try (OpenPage open = ssd.directory().acquire(block, 0)) {
      return open.proof().make(() -> { });
    }
  }

  void assertData(int from, int length) throws IOException {
    reader.seek(from);
    assertNextData(from, length);
  }

  void assertNextData(int from, int length) throws IOException {
    byte[] buffer = new byte[length + 2];
    reader.readData(buffer, 1, length);
    assertArrayEquals("from " + from, Arrays.copyOfRange(replica.data(), from, from + length),
        Arrays.copyOfRange(buffer, 1, length + 1));
    assertEquals("written beside the target", 0, buffer[0] | buffer[length + 1]);
  }

  void assertNextChecksums(int from, int length) throws IOException {
    byte[] buffer = new byte[length + 2];
    reader.readChecksums(buffer, 1, length);
    assertArrayEquals("from " + from,
        Arrays.copyOfRange(replica.checksums(), from, from + length),
        Arrays.copyOfRange(buffer, 1, length + 1));
    assertEquals("written beside the target", 0, buffer[0] | buffer[length + 1]);
  }

  /** Truncates a page's file, behind the back of whoever has it open. */
  void truncate(int page, int length) throws IOException {
    try (FileChannel file =
        FileChannel.open(ssd.pageFile(block, page), StandardOpenOption.WRITE)) {
      file.truncate(length);
    }
  }
}
