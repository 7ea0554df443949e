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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.read.TestingPageSource.Failure;
import org.apache.hadoop.io.LongWritable;
import org.junit.Test;

/** An SSD that returns other bytes than were written: no client must ever see them. */
public class TestFlippedBits extends SnapshotReaderFixture {

  private void flip(int page, int position, int bit) throws IOException {
    ssd.mayFail();
    try (FileChannel file = FileChannel.open(ssd.pageFile(block, page),
        StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, position);
      one.put(0, (byte) (one.get(0) ^ 1 << bit));
      file.write(one.flip(), position);
    }
  }

  private void assertFailedOnce(int page) {
    assertEquals(List.of(new Failure(page, Operation.PAGE_READ, DamagedPageException.class)),
        pages.failures());
  }

  @Test
  public void readData_damagedWhileAReaderHoldsIt_nextReaderFindsOut() throws IOException {
    cache(0);
    assertData(0, 512);
    flip(0, 700, 1);
    assertNextData(512, PAGE - 512);
    assertEquals(List.of(), pages.failures());
    nextReader();
    assertData(0, PAGE);
    assertFailedOnce(0);
    assertEquals(0, reader.bytesFromPages());
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
  }
}
