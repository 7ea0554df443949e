/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.read.TestingPageSource.Failure;
import org.apache.hadoop.io.LongWritable;
import org.junit.Test;

/** An SSD that returns other bits than were written: no client must ever see them. */
public class TestFlippedBits extends SnapshotReaderFixture {

  private void flip(int page, int position, int bit) throws IOException {
    try (FileChannel file = FileChannel.open(ssd.pageFile(block, page),
        StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, position);
      one.put(0, (byte) (one.get(0) ^ 1 << bit));
      file.write(one.flip(), position);
    }
  }

  private void assertFailedOnce(int page) {
    assertFailedOnce(page, Operation.PAGE_READ);
  }

  private void assertFailedOnce(int page, Operation operation) {
    assertEquals(
        List.of(new Failure(page, operation, DamagedPageException.class)), pages.failures());
  }

  @Test
  public void readData_bitOfDataFlipped_readsTheReplica() throws IOException {
    cache(0, 1, 2, 3, 4);
    flip(1, 700, 3);
    assertData(PAGE, 512);
    assertEquals("the chunk before is good", 512, reader.bytesFromPages());
    assertNextData(PAGE + 512, LENGTH - PAGE - 512);
    assertFailedOnce(1);
    assertEquals(PAGE - 512, replica.dataRead());
  }

  @Test
  public void readData_neighbourInItsChunkFlipped_readsTheReplica() throws IOException {
    cache(4);
    flip(4, 699, 0);
    assertData(4 * PAGE + 520, 10);
    assertFailedOnce(4);
  }

  @Test
  public void readData_onlyLaterChunksWereVerified_earlierOnesAreToo() throws IOException {
    cache(0);
    flip(0, 100, 0);
    assertData(2048, 2048);
    assertEquals(2048, reader.bytesFromPages());
    assertData(0, 512);
    assertFailedOnce(0);
  }

  @Test
  public void readChecksums_bitOfTheirDataFlipped_bothComeFromTheReplica() throws IOException {
    cache(0);
    flip(0, PAGE - 1, 7);
    reader.seek(0);
    assertNextChecksums(0, SUMS);
    assertNextData(0, PAGE);
    assertFailedOnce(0);
    assertEquals(SUMS, replica.checksumsRead());
    assertEquals(PAGE, replica.dataRead());
  }

  @Test
  public void readChecksums_bitOfThemFlipped_bothComeFromTheReplica() throws IOException {
    cache(0);
    flip(0, PAGE + SUMS - 1, 0);
    reader.seek(PAGE - 512);
    assertNextChecksums(SUMS - 4, 4);
    assertNextData(PAGE - 512, 512);
    assertFailedOnce(0, Operation.PAGE_OPEN);
  }

  /** Only the trailer is as it was written: the rest is of before, and right in itself. */
  private void loseWrites(int page) throws IOException {
    byte[] older = new byte[PAGE];
    new Random(page).nextBytes(older);
    byte[] sums = new byte[SUMS];
    block.layout().newChecksum().calculateChunkedSums(older, 0, PAGE, sums, 0);
    try (FileChannel file =
        FileChannel.open(ssd.pageFile(block, page), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(older), 0);
      file.write(ByteBuffer.wrap(sums), PAGE);
    }
  }

  @Test
  public void read_staleDataAndTheirChecksumsWhileTheFileIsOpen_readsTheReplica()
      throws IOException {
    cache(0, 1, 2);
    for (int from : new int[] {0, PAGE + 512, 3 * PAGE - 512}) {
      int page = from / PAGE;
      assertData(from, 512);
      assertEquals(512, reader.bytesFromPages());
      loseWrites(page);
      reader.close();
      reader = new SnapshotReader(block, pages, replica, verification());
      reader.seek(from);
      assertNextChecksums(from / 128, 4);
      assertNextData(from, 512);
      assertEquals("from the page at " + from, 0, reader.bytesFromPages());
      assertFailedOnce(page);
      pages.failures().clear();
      reader.close();
      reader = new SnapshotReader(block, pages, replica, verification());
    }
  }

  @Test
  public void transferTo_bitFlipped_sendsFromTheReplica() throws Exception {
    cache(0, 1);
    flip(1, 0, 0);
    try (LoopbackSocket socket = LoopbackSocket.open()) {
      CompletableFuture<byte[]> received = socket.receiveAll();
      reader.seek(0);
      reader.transferTo(socket.out(), ByteBuffer.allocate(0), 2 * PAGE, new LongWritable(),
          new LongWritable());
      socket.closeServerSide();
      assertArrayEquals(Arrays.copyOf(replica.data(), 2 * PAGE),
          received.get(60, TimeUnit.SECONDS));
    }
    assertFailedOnce(1);
    assertEquals(PAGE, reader.bytesFromPages());
    assertEquals("what is verified is what is sent", 0, reader.bytesZeroCopy());
  }

  @Test
  public void read_randomBitFlipped_inPacketsAsBlockSenderDoes_neverComesThrough()
      throws IOException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    cache(0, 1, 2, 3, 4);
    int packet = 512 * (1 + random.nextInt(12));
    for (int i = 0; i < 100; i++) {
      int page = random.nextInt(5);
      int position = random.nextInt(block.layout().fileLength(page) - 64);
      int bit = random.nextInt(8);
      flip(page, position, bit);
      readInPackets(packet);
      Operation operation = pages.failures().get(0).operation();
      assertFailedOnce(page, operation == Operation.PAGE_OPEN ? operation : Operation.PAGE_READ);
      flip(page, position, bit);
      pages.failures().clear();
    }
  }

  private void readInPackets(int packet) throws IOException {
    reader.seek(0);
    for (int from = 0; from < LENGTH; from += packet) {
      int length = Math.min(packet, LENGTH - from);
      assertNextChecksums(from / 128, (length + 511) / 512 * 4);
      assertNextData(from, length);
    }
  }
}
