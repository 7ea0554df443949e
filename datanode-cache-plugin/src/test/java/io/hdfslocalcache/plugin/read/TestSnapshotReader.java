/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import java.io.IOException;
import java.util.List;

import org.junit.Test;

public class TestSnapshotReader extends SnapshotReaderFixture {

  private void assertFrom(long fromPages, long fromReplica) {
    assertEquals(fromPages, reader.bytesFromPages());
    assertEquals(fromReplica, reader.bytesFromReplica());
    assertEquals("bytes read from the replica", fromReplica, replica.dataRead());
  }

  @Test
  public void read_allPagesCached_doesNotTouchTheReplica() throws IOException {
    cache(0, 1, 2, 3, 4);
    assertData(0, LENGTH);
    assertNextChecksums(0, replica.checksums().length);
    assertFrom(LENGTH, 0);
    assertEquals(0, replica.opens());
    assertEquals(0, replica.checksumsRead());
    assertEquals(List.of(), pages.failures());
  }

  @Test
  public void read_alternatingPages_readsJustTheOthersFromTheReplica() throws IOException {
    cache(0, 2, 4);
    assertData(0, LENGTH);
    assertNextChecksums(0, replica.checksums().length);
    assertFrom(2 * PAGE + 700, 2 * PAGE);
    assertEquals(2 * SUMS, replica.checksumsRead());
    assertEquals(1, replica.opens());
  }

  @Test
  public void seek_withinAChunk_checksumsStartWithThatChunk() throws IOException {
    cache(0);
    reader.seek(1023);
    assertNextChecksums(4, 8);
    assertNextData(1023, 10);
  }

  @Test
  public void read_manyPacketsOfOnePage_fetchesItOnceForBothStreams() throws IOException {
    cache(0);
    reader.seek(0);
    for (int from = 0; from < PAGE; from += 512) {
      assertNextData(from, 512);
      assertNextChecksums(from / 128, 4);
    }
    assertEquals(1, pages.asked());
  }

  @Test
  public void read_pageTruncatedInTheMiddle_goesOnWithWhatWasVerified() throws IOException {
    cache(0, 1);
    assertData(0, 1000);
    truncate(0, 2000);
    assertNextChecksums(0, SUMS);
    assertNextData(1000, 2000);
    assertNextData(3000, PAGE);
    assertFrom(PAGE + 3000, 0);
    assertEquals(List.of(), pages.failures());
  }

  @Test
  public void replicaInUse_onlyWhileTheLastBytesCameFromIt() throws IOException {
    cache(0, 2);
    assertData(0, 100);
    assertNull(reader.replicaInUse());
    assertData(PAGE, 100);
    assertSame(replica.descriptor(), reader.replicaInUse());
    assertData(2 * PAGE, 100);
    assertNull("no read-ahead of what is cached", reader.replicaInUse());
  }

  @Test
  public void read_bytesOfPages_countsThoseThatWereInMemory() throws IOException {
    cache(0, 1);
    reader.askedFor(100, 2 * PAGE);
    assertData(0, 3 * PAGE);
    assertEquals(inMemory() ? 2 * PAGE - 100 : 0, reader.bytesFromMemory());
    assertEquals(2 * PAGE - 100, reader.bytesFromPages());
  }
}
