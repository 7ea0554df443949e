/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.io.LongWritable;
import org.junit.Test;

/** What happens to a page in the very moment in which a reader looks for it, or sends it. */
public class TestSnapshotReaderRaces extends SnapshotReaderFixture {

  private static final int ROUNDS = 50;

  private void evict(int page) {
    ssd.directory().pages().removePage(block.fileId(), page);
  }

  private void evictAll() {
    ssd.directory().pages().removeBlock(block.fileId());
  }

  @Test
  public void pageEvictedJustBeforeItIsFetched_isReadFromTheReplica() throws IOException {
    cache(0, 1, 2, 3, 4);
    pages.beforeGet(page -> {
      if (page == 1) {
        evict(1);
      }
    });
    assertData(0, LENGTH);
    assertEquals(PAGE, reader.bytesFromReplica());
    assertEquals(1, replica.opens());
    assertEquals(List.of(), pages.failures());
  }

  @Test
  public void pageEvictedJustAfterItWasFetched_isReadFromWhatWasFetched() throws IOException {
    cache(0, 1, 2, 3, 4);
    pages.afterGet(this::evict);
    assertData(0, LENGTH);
    assertEquals(0, replica.opens());
    assertEquals(0, block.pages());
  }

  @Test
  public void pageEvictedAndFilledAgainWhileItIsRead_isReadFromWhatWasFetched() throws IOException {
    cache(0, 1, 2, 3, 4);
    pages.afterGet(page -> {
      evict(page);
      ssd.cache(replica, page);
    });
    reader.seek(0);
    for (int from = 0; from < LENGTH; from += 500) {
      assertNextData(from, Math.min(500, LENGTH - from));
    }
    assertEquals(0, replica.opens());
    assertEquals(5, block.pages());
  }

  @Test
  public void switchedOffWhileAPageIsFetched_nextPageComesFromTheReplica() throws IOException {
    cache(0, 1, 2, 3, 4);
    pages.beforeGet(page -> pages.setOn(page != 1));
    assertData(0, LENGTH);
    assertTrue("bytes " + reader.bytesFromPages(), reader.bytesFromPages() <= 2 * PAGE);
  }

  @Test
  public void transferWaitsForItsClient_pagesEvicted_sendsRightBytes() throws Exception {
    transferWhile(this::evictAll);
    assertTrue(reader.bytesFromReplica() > 0);
  }

  @Test
  public void transferWaitsForItsClient_pagesEvictedAndFilledAgain_sendsRightBytes()
      throws Exception {
    transferWhile(() -> {
      evictAll();
      ssd.cacheAll(replica);
    });
    assertTrue("what was filled again serves",
        reader.bytesFromPages() > reader.bytesFromReplica());
  }

  private interface Change {
    void make() throws IOException;
  }

  /** Makes a change when the DataNode has sent something, and cannot send all for want of room. */
  private void transferWhile(Change change) throws Exception {
    cache(0, 1, 2, 3, 4);
    try (LoopbackSocket socket = LoopbackSocket.open()) {
      CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> send(socket));
      byte[] first = socket.receive(100);
      change.make();
      CompletableFuture<byte[]> rest = socket.receiveAll();
      sender.get(60, TimeUnit.SECONDS);
      socket.closeServerSide();
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      for (int i = 0; i < ROUNDS; i++) {
        expected.write(replica.data());
      }
      ByteArrayOutputStream received = new ByteArrayOutputStream();
      received.write(first);
      received.write(rest.get(60, TimeUnit.SECONDS));
      assertArrayEquals(expected.toByteArray(), received.toByteArray());
    }
    assertTrue(reader.bytesFromPages() > 0);
  }

  private void send(LoopbackSocket socket) {
    try {
      for (int i = 0; i < ROUNDS; i++) {
        reader.seek(0);
        reader.transferTo(socket.out(), ByteBuffer.allocate(0), LENGTH, new LongWritable(),
            new LongWritable());
      }
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }
}
