/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.config.Verification;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.read.TestingPageSource.Failure;
import io.hdfslocalcache.plugin.store.OpenPage;
import org.apache.hadoop.io.LongWritable;
import org.junit.Test;

/** What the OS has in memory is verified once, what it reads from the SSD again is verified again. */
public class TestVerifyWhenResident extends SnapshotReaderFixture {

  @Override
  Verification verification() {
    return Verification.RESIDENT;
  }

  private void nextReader() {
    reader.close();
    reader = newReader();
  }

  /** Changes a byte of the page's file, and keeps the time at which it was written, or not. */
  private void flip(int page, int position, boolean hide) throws IOException {
    Path path = ssd.pageFile(block, page);
    var time = Files.getLastModifiedTime(path);
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ,
        StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, position);
      one.put(0, (byte) ~one.get(0));
      file.write(one.flip(), position);
    }
    if (hide) {
      Files.setLastModifiedTime(path, time);
    } else {
      // The clock of the file system is coarse.
      Files.setLastModifiedTime(path,
          FileTime.fromMillis(time.toMillis() + 10));
    }
  }

  /** Has the OS forget the page's bytes; the file system decides whether it does. */
  private void dropFromMemory(int page) throws Exception {
    Path path = ssd.pageFile(block, page);
    readAgain(page);
    Process dd = new ProcessBuilder("dd", "of=" + path, "oflag=nocache", "conv=notrunc,fdatasync",
        "count=0").redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    assertTrue(dd.waitFor(60, TimeUnit.SECONDS));
    try (OpenPage open = ssd.directory().acquire(block, page)) {
      assumeTrue("this file system keeps files in memory", !open.isResident(0, 1));
    }
  }

  /** The page's bytes leave memory, and come back as they are in the file. */
  private void readAgain(int page) throws IOException {
    Path path = ssd.pageFile(block, page);
    var time = Files.getLastModifiedTime(path);
    byte[] bytes = Files.readAllBytes(path);
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      file.truncate(0);
      file.write(ByteBuffer.wrap(bytes));
    }
    Files.setLastModifiedTime(path, time);
  }

  private void assumeProven(int page) throws IOException {
    try (OpenPage open = ssd.directory().acquire(block, page)) {
      assumeTrue("this file system or kernel does not tell", open.proof().holds(0, PAGE));
    }
  }

  private void assertFailedOnce(int page) {
    assertEquals(List.of(new Failure(page, Operation.PAGE_READ, DamagedPageException.class)),
        pages.failures());
  }

  @Test
  public void read_damagedBeforeTheFirstUse_isFound() throws IOException {
    cache(0);
    flip(0, 100, true);
    assertData(0, PAGE);
    assertFailedOnce(0);
    assertEquals(PAGE, reader.bytesFromReplica());
  }

  @Test
  public void read_verifiedAndStillInMemory_isNotVerifiedAgain() throws IOException {
    cache(0);
    assertData(0, PAGE);
    assumeProven(0);
    // Not a fault that an SSD can make: the proof that nothing looks at the bytes.
    flip(0, 100, true);
    nextReader();
    reader.seek(0);
    byte[] read = new byte[PAGE];
    reader.readData(read, 0, PAGE);
    assertFalse(Arrays.equals(Arrays.copyOf(replica.data(), PAGE), read));
    flip(0, 100, true);
  }

  @Test
  public void read_openFileBecomesThatOfAnotherPage_isFound() throws IOException {
    cache(0);
    cache(1);
    assertData(0, PAGE);
    // Data and checksums match each other as before.
    Path path = ssd.pageFile(block, 0);
    var time = Files.getLastModifiedTime(path);
    Files.write(path, Files.readAllBytes(ssd.pageFile(block, 1)), StandardOpenOption.WRITE);
    Files.setLastModifiedTime(path, FileTime.fromMillis(time.toMillis() + 10));
    nextReader();
    assertData(0, PAGE);
    assertFailedOnce(0);
  }

  @Test
  public void read_fileWrittenBehindOurBack_isVerifiedAgain() throws IOException {
    cache(0);
    assertData(0, PAGE);
    flip(0, 100, false);
    nextReader();
    assertData(0, PAGE);
    assertFailedOnce(0);
  }

  @Test
  public void read_damagedOnTheSsdAfterItLeftMemory_isFound() throws Exception {
    cache(0);
    assertData(0, PAGE);
    flip(0, 100, true);
    dropFromMemory(0);
    nextReader();
    assertData(0, PAGE);
    assertFailedOnce(0);
  }

  @Test
  public void read_damagedOnTheSsdAndReadAgainByTheKernel_isFound() throws Exception {
    cache(0);
    assertData(0, PAGE);
    assumeProven(0);
    flip(0, 100, true);
    readAgain(0);
    nextReader();
    assertData(0, PAGE);
    assertFailedOnce(0);
  }

  @Test
  public void transferTo_damagedOnTheSsdWhileTheClientWaits_isFound() throws Exception {
    cache(0);
    assertData(0, PAGE);
    assumeProven(0);
    try (LoopbackSocket socket = LoopbackSocket.open()) {
      CompletableFuture<byte[]> received = socket.receiveAll();
      reader.seek(0);
      reader.transferTo(socket.out(), ByteBuffer.allocate(0), 1024, new LongWritable(),
          new LongWritable());
      flip(0, 2000, true);
      readAgain(0);
      // What was in memory is taken to be there still for 2 ms.
      Thread.sleep(5);
      reader.transferTo(socket.out(), ByteBuffer.allocate(0), PAGE - 1024, new LongWritable(),
          new LongWritable());
      socket.closeServerSide();
      assertArrayEquals(Arrays.copyOf(replica.data(), PAGE), received.get(60, TimeUnit.SECONDS));
    }
    assertFailedOnce(0);
  }

  @Test
  public void read_smallRanges_areProvenWhenAsMuchAsThePageWasRead() throws IOException {
    cache(0);
    for (int from = 0; from < PAGE - 512; from += 512) {
      nextReader();
      reader.askedFor(from, from + 512);
      assertData(from, 512);
      try (OpenPage open = ssd.directory().acquire(block, 0)) {
        assertFalse("after " + from, open.proof().holds(0, PAGE));
      }
    }
    nextReader();
    reader.askedFor(PAGE - 512, PAGE);
    assertData(PAGE - 512, 512);
    assumeProven(0);
  }

  @Test
  public void read_halfAPageInPackets_isNotProven() throws IOException {
    cache(0);
    reader.askedFor(0, PAGE / 2);
    for (int from = 0; from < PAGE / 2; from += 512) {
      assertData(from, 512);
    }
    try (OpenPage open = ssd.directory().acquire(block, 0)) {
      assertFalse(open.proof().holds(0, 1));
    }
  }

  @Test
  public void read_provenByAnotherReaderMeanwhile_isSentFromTheFile() throws Exception {
    cache(0);
    reader.askedFor(0, 1024);
    assertData(0, 512);
    try (OpenPage open = ssd.directory().acquire(block, 0)) {
      assumeTrue("this file system or kernel does not tell", open.proof().make(() -> { }));
    }
    try (LoopbackSocket socket = LoopbackSocket.open()) {
      CompletableFuture<byte[]> received = socket.receiveAll();
      reader.transferTo(socket.out(), ByteBuffer.allocate(0), 512, new LongWritable(),
          new LongWritable());
      socket.closeServerSide();
      received.get(60, TimeUnit.SECONDS);
    }
    assertEquals(512, reader.bytesZeroCopy());
  }

  @Test
  public void read_damagedWhereTheReaderDoesNotRead_isFoundByTheProof() throws IOException {
    cache(0);
    flip(0, PAGE - 1, true);
    reader.askedFor(0, PAGE);
    assertData(0, 512);
    assertFailedOnce(0);
    assertEquals(512, reader.bytesFromReplica());
  }

  @Test
  public void read_tooSmallToBeProven_isVerifiedEachTime() throws IOException {
    cache(0);
    assertData(0, PAGE);
    assumeProven(0);
    flip(0, 100, true);
    reader.close();
    reader = new SnapshotReader(block, pages, replica, verification());
    assertData(0, PAGE / 2);
    assertFailedOnce(0);
  }

  @Test
  public void read_checksumsDamagedOnTheSsdAfterTheyLeftMemory_areFound() throws Exception {
    cache(0);
    assertData(0, PAGE);
    flip(0, PAGE + 1, true);
    dropFromMemory(0);
    nextReader();
    reader.seek(0);
    assertNextChecksums(0, SUMS);
    assertNextData(0, PAGE);
    assertFailedOnce(0);
  }

  @Test
  public void read_notInMemory_isReadByAnotherThreadAndThenInPlace() throws Exception {
    cache(0);
    dropFromMemory(0);
    int before = pages.awaited();
    assertData(0, PAGE);
    assertTrue(pages.awaited() > before);
    assertEquals(PAGE, reader.bytesFromPages());
    nextReader();
    int after = pages.awaited();
    assertData(0, PAGE);
    assertEquals("what was read just now is in memory", after, pages.awaited());
    assertEquals(List.of(), pages.failures());
  }

  @Test
  public void read_notInMemoryAndReaderGoesOn_isReadAtOnce() throws Exception {
    cache(0);
    dropFromMemory(0);
    reader.askedFor(0, PAGE);
    int before = pages.awaited();
    assertData(0, 512);
    dropFromMemory(0);
    for (int from = 512; from < PAGE; from += 512) {
      assertNextData(from, 512);
    }
    assertEquals("the rest was read with the first packet", before + 1, pages.awaited());
    assertEquals(PAGE, reader.bytesFromPages());
  }

  @Test
  public void transferTo_notInMemory_sendsVerifiedBytesFromMemory() throws Exception {
    cache(0, 1);
    dropFromMemory(1);
    try (LoopbackSocket socket = LoopbackSocket.open()) {
      CompletableFuture<byte[]> received = socket.receiveAll();
      reader.seek(0);
      reader.transferTo(socket.out(), ByteBuffer.allocate(0), 2 * PAGE, new LongWritable(),
          new LongWritable());
      socket.closeServerSide();
      assertArrayEquals(Arrays.copyOf(replica.data(), 2 * PAGE),
          received.get(60, TimeUnit.SECONDS));
    }
    assertEquals("what is in memory is proven at once", PAGE, reader.bytesZeroCopy());
    assertEquals(2 * PAGE, reader.bytesFromPages());
  }

  @Test
  public void transferTo_verifiedBefore_sendsFromTheFile() throws Exception {
    cache(0);
    assertData(0, PAGE);
    assumeProven(0);
    try (LoopbackSocket socket = LoopbackSocket.open()) {
      CompletableFuture<byte[]> received = socket.receiveAll();
      reader.seek(0);
      reader.transferTo(socket.out(), ByteBuffer.allocate(0), PAGE, new LongWritable(),
          new LongWritable());
      socket.closeServerSide();
      assertArrayEquals(Arrays.copyOf(replica.data(), PAGE), received.get(60, TimeUnit.SECONDS));
    }
    assertEquals(PAGE, reader.bytesZeroCopy());
  }
}
