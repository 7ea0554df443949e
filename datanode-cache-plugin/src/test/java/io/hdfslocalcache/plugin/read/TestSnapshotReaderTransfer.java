/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import org.apache.hadoop.io.LongWritable;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Sending pages to a client. */
public class TestSnapshotReaderTransfer extends SnapshotReaderFixture {

  private final LongWritable waited = new LongWritable();
  private final LongWritable sending = new LongWritable();
  private final ByteArrayOutputStream expected = new ByteArrayOutputStream();
  LoopbackSocket socket;

  @Before
  public void connect() throws IOException {
    socket = LoopbackSocket.open();
  }

  @After
  public void disconnect() throws IOException {
    socket.close();
  }

  void send(int from, int length) throws IOException {
    reader.seek(from);
    sendNext(from, length);
  }

  void sendNext(int from, int length) throws IOException {
    sendNext(0, from, length);
  }

  /** A packet as BlockSender sends it: a head that depends on its length, and the data. */
  void sendNext(int headLength, int from, int length) throws IOException {
    byte[] head = new byte[headLength + 2];
    Arrays.fill(head, 1, headLength + 1, (byte) headLength);
    reader.transferTo(socket.out(), ByteBuffer.wrap(head, 1, headLength), length, waited, sending);
    expected.write(head, 1, headLength);
    expected.write(replica.data(), from, length);
  }

  void assertReceived(CompletableFuture<byte[]> received) throws Exception {
    socket.closeServerSide();
    assertArrayEquals(expected.toByteArray(), received.get(60, TimeUnit.SECONDS));
  }

  @Test
  public void transferTo_allPagesCached_sendsJustTheData() throws Exception {
    cache(0, 1, 2, 3, 4);
    CompletableFuture<byte[]> received = socket.receiveAll();
    send(0, LENGTH);
    assertReceived(received);
    assertEquals(LENGTH, reader.bytesFromPages());
    assertEquals(inMemory() ? LENGTH : 0, reader.bytesFromMemory());
    assertEquals(0, replica.opens());
    assertTrue(sending.get() > 0 && waited.get() >= 0);
  }

  @Test
  public void transferTo_packetsWithHeads_sendsHeadAndDataInTheirOrder() throws Exception {
    cache(0, 1, 3);
    CompletableFuture<byte[]> received = socket.receiveAll();
    reader.askedFor(300, LENGTH);
    reader.seek(0);
    int at = 0;
    // Also a head larger than the socket takes at once, pages that meet in a packet, and no data.
    for (int i = 0; at < LENGTH; i++) {
      int length = Math.min(LENGTH - at, (1 + i % 4) * 512);
      sendNext(i % 5 == 0 ? 100_000 : 40 + i % 3, at, length);
      at += length;
    }
    sendNext(30, at, 0);
    assertReceived(received);
    assertEquals(3 * PAGE - 300, reader.bytesFromPages());
  }

  @Test
  public void transferTo_peerGone_throwsAndBlamesNoPage() throws Exception {
    cache(0, 1, 2, 3, 4);
    socket.reset();
    assertThrows(IOException.class, () -> {
      for (int i = 0; i < 1000; i++) {
        send(0, LENGTH);
      }
    });
    assertEquals(List.of(), pages.failures());
    assertEquals("the client's fault sends no read to the replica", 0, replica.opens());
    assertTrue(ssd.directory().pages().contains(block, 0));
    assertData(0, LENGTH);
  }

  @Test
  public void transferTo_peerLeavesInTheFirstPacket_isHitWithTheBytesSent() throws Exception {
    cache(0, 1, 2, 3, 4);
    Thread peer = new Thread(() -> {
      try {
        socket.receive(1000);
        socket.reset();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    peer.start();
    assertThrows(IOException.class, () -> {
      // One packet for the reader; for the test, more bytes than the connection buffers.
      for (int i = 0; i < 1000; i++) {
        send(0, LENGTH);
      }
    });
    peer.join();
    assertTrue("bytes " + reader.bytesFromPages(), reader.bytesFromPages() >= 1000);
    assertEquals(ReadOutcome.HIT, reader.outcome(ReadOutcome.MISS_ADMITTED));
  }

  @Test
  public void transferTo_peerLeavesBeforeTheFirstByte_isHitWithoutBytes() throws Exception {
    cache(0);
    socket.closeServerSide();
    assertThrows(IOException.class, () -> send(0, PAGE));
    assertEquals(0, reader.bytesFromPages());
    assertEquals(ReadOutcome.HIT, reader.outcome(ReadOutcome.MISS_ADMITTED));
  }

  @Test
  public void transferTo_interrupted_throwsWhenItHasToWaitAndCallsNoPageDamaged()
      throws Exception {
    cache(0);
    send(0, 1000);
    Thread.currentThread().interrupt();
    try {
      assertThrows(IOException.class, () -> {
        // As many bytes as the connection buffers while nobody reads.
        for (int i = 0; i < 10_000; i++) {
          send(0, PAGE);
        }
      });
      assertTrue("the interrupt got lost", Thread.currentThread().isInterrupted());
    } finally {
      Thread.interrupted();
    }
    CompletableFuture<byte[]> received = socket.receiveAll();
    socket.closeServerSide();
    byte[] got = received.get(60, TimeUnit.SECONDS);
    expected.write(replica.data(), 0, got.length - expected.size());
    assertArrayEquals(expected.toByteArray(), got);
    assertTrue(pages.failures().toString(), pages.failures().stream()
        .noneMatch(failure -> failure.error() == DamagedPageException.class));
  }

  @Test
  public void transferTo_randomRangesAndPages_sameBytesAsTheReplica() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    cache(random.ints(0, 5).limit(3).distinct().toArray());
    CompletableFuture<byte[]> received = socket.receiveAll();
    for (int i = 0; i < 100; i++) {
      int from = random.nextInt(LENGTH);
      send(from, 1 + random.nextInt(LENGTH - from));
      pages.setOn(random.nextInt(10) > 0);
    }
    assertReceived(received);
    assertFalse(reader.bytesFromPages() == 0);
    assertEquals(List.of(), pages.failures());
  }
}
