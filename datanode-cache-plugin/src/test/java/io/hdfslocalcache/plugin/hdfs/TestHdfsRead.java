/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.read.CachedPages;
import io.hdfslocalcache.plugin.read.SnapshotReader;
import io.hdfslocalcache.plugin.read.TestingPageSource;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.mockito.Mockito;

public class TestHdfsRead {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  /** BlockSender uses the message, and would fail if it were null. */
  @Test
  public void readDataFully_interruptedOnTheReplica_throwsWithMessage() throws IOException {
    TestingReplica replica = TestingReplica.create(folder.getRoot().toPath(), 1, 5000);
    try (TestingSsd ssd = TestingSsd.open(folder.getRoot().toPath().resolve("ssd"))) {
      CachedBlock block = ssd.register(replica);
      SnapshotReader reader = new SnapshotReader(
          block, Mockito.mock(CachedPages.class), new TestingPageSource.NoVisits(block), replica);
      HdfsRead.Streams streams = new HdfsRead.Streams(reader);
      streams.seek(0);
      Thread.currentThread().interrupt();
      try {
        IOException e = assertThrows(IOException.class,
            () -> streams.readDataFully(new byte[1000], 0, 1000));
        assertNotNull(e.getMessage());
        assertEquals(ClosedByInterruptException.class, e.getCause().getClass());
      } finally {
        Thread.interrupted();
        streams.close();
      }
    }
  }
}
