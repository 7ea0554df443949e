/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.hdfslocalcache.plugin.memory.LostBytesException;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.read.TestingPageSource.Failure;
import org.junit.Test;

/** The same from memory, and what can happen only there. */
public class TestSnapshotReaderTransferInMemory extends TestSnapshotReaderTransfer {

  @Override
  boolean inMemory() {
    return true;
  }

  /** Another reader of the page is interrupted while it reads: Java closes the file for all. */
  private void closeByInterrupt(int page) throws IOException {
    try (PageBytes shared = memory.find(block, page)) {
      Thread.currentThread().interrupt();
      assertThrows(IOException.class, () -> shared.readData(0, ByteBuffer.allocate(10)));
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  public void transferTo_fileClosedByAnothersInterrupt_sendsTheRestFromTheReplica()
      throws Exception {
    cache(0);
    CompletableFuture<byte[]> received = socket.receiveAll();
    send(0, 1000);
    closeByInterrupt(0);
    sendNext(1000, 1000);
    assertReceived(received);
    assertEquals(1000, reader.bytesFromReplica());
    assertEquals(List.of(new Failure(0, Operation.MEMORY_READ, LostBytesException.class)),
        pages.failures());
    assertNull("it left the memory tier", memory.find(block, 0));
    assertEquals(0, memory.usedBytes());
  }

  @Test
  public void transferTo_fileClosedByAnothersInterrupt_headGoesOutOnce() throws Exception {
    cache(0);
    CompletableFuture<byte[]> received = socket.receiveAll();
    reader.seek(0);
    sendNext(40, 0, 512);
    closeByInterrupt(0);
    sendNext(40, 512, 512);
    assertReceived(received);
    assertEquals(512, reader.bytesFromReplica());
  }

  @Test
  public void readChecksums_fileClosedByAnothersInterrupt_bothComeFromTheReplica()
      throws IOException {
    cache(0);
    reader.seek(0);
    assertNextData(0, 512);
    closeByInterrupt(0);
    assertNextChecksums(0, 8);
    assertNextData(512, 512);
    assertEquals(512, reader.bytesFromReplica());
    assertEquals(1, pages.failures().size());
  }
}
