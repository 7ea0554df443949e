/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import org.junit.Before;
import org.junit.Test;

public class TestClientRead extends SnapshotReaderFixture {

  private record End(ReadOutcome outcome, long to) {
  }

  private final List<End> ends = new ArrayList<>();

  @Before
  public void cacheTheFirstPage() throws IOException {
    cache(0);
  }

  private ClientRead ofPages(long from, long to) {
    reader.seek(from);
    return ClientRead.ofPages(this::finished, replica.snapshot(), from, to, reader);
  }

  private void finished(ClientRead read, ReadOutcome outcome, long to) {
    ends.add(new End(outcome, to));
  }

  private void read(int bytes) throws IOException {
    reader.readData(new byte[bytes], 0, bytes);
  }

  @Test
  public void finish_allFromPages_isHit() throws IOException {
    ClientRead read = ofPages(0, PAGE);
    read(PAGE);
    read.finish(PAGE);
    assertEquals(List.of(new End(ReadOutcome.HIT, PAGE)), ends);
    assertEquals(PAGE, read.bytesFromPages());
    assertEquals(0, read.bytesFromReplica(PAGE));
  }

  @Test
  public void finish_fromBoth_isPartialHit() throws IOException {
    ClientRead read = ofPages(0, LENGTH);
    read(PAGE + 1);
    read.finish(PAGE + 1);
    assertEquals(List.of(new End(ReadOutcome.PARTIAL_HIT, PAGE + 1)), ends);
    assertEquals(PAGE, read.bytesFromPages());
    assertEquals(1, read.bytesFromReplica(PAGE + 1));
  }

  @Test
  public void finish_pagesWereNotReached_isMiss() throws IOException {
    ClientRead read = ofPages(PAGE, LENGTH);
    read(10);
    read.finish(PAGE + 10);
    assertEquals(List.of(new End(ReadOutcome.MISS_ADMITTED, PAGE + 10)), ends);
  }

  @Test
  public void finish_nothingSent_isMissWithoutBytes() {
    ClientRead read = ofPages(100, PAGE);
    read.finish(100);
    assertEquals(List.of(new End(ReadOutcome.MISS_ADMITTED, 100)), ends);
    assertEquals(0, read.bytesFromPages() + read.bytesFromReplica(100));
  }

  @Test
  public void finish_wholeChunkSent_countsWhatWasAskedFor() throws IOException {
    ClientRead read = ofPages(0, 100);
    read(512);
    read.finish(512);
    assertEquals(List.of(new End(ReadOutcome.HIT, 100)), ends);
    assertEquals(100, read.bytesFromPages());
  }

  @Test
  public void finish_wholeChunksOfBothSent_countsWhatWasAskedFor() throws IOException {
    ClientRead read = ofPages(PAGE - 10, PAGE + 5);
    reader.seek(PAGE - 512);
    read(1024);
    read.finish(PAGE + 512);
    assertEquals(List.of(new End(ReadOutcome.PARTIAL_HIT, PAGE + 5)), ends);
    assertEquals(10, read.bytesFromPages());
    assertEquals(5, read.bytesFromReplica(PAGE + 5));
  }

  @Test
  public void finish_clientLeftBeforeTheFirstByteOfAPage_isHitWithoutBytes() throws IOException {
    ClientRead read = ofPages(100, PAGE);
    reader.readChecksums(new byte[SUMS], 0, SUMS);
    read.finish(0);
    assertEquals(List.of(new End(ReadOutcome.HIT, 0)), ends);
    assertEquals(0, read.bytesFromPages() + read.bytesFromReplica(0));
  }

  @Test
  public void finish_replicaCannotBeOpened_isMissWithoutBytes() throws IOException {
    reader.close();
    replica.delete();
    reader = newReader();
    ClientRead read = ofPages(0, LENGTH);
    pages.setOn(false);
    assertThrows(IOException.class, () -> read(10));
    read.finish(0);
    assertEquals(List.of(new End(ReadOutcome.MISS_ADMITTED, 0)), ends);
  }

  @Test
  public void finish_twice_countsOnce() throws IOException {
    ClientRead read = ofPages(0, PAGE);
    read(100);
    read.finish(100);
    read(100);
    read.finish(PAGE);
    assertEquals(List.of(new End(ReadOutcome.HIT, 100)), ends);
  }

  @Test
  public void finish_servedFromTheReplica_keepsTheOutcomeItBeganWith() {
    for (ReadOutcome outcome : ReadOutcome.values()) {
      ends.clear();
      ClientRead read =
          ClientRead.ofReplica(this::finished, replica.snapshot(), 10, 100, outcome);
      assertFalse(read.reader().isPresent());
      assertSame(replica.snapshot(), read.snapshot());
      read.finish(60);
      assertEquals(List.of(new End(outcome, 60)), ends);
      assertEquals(50, read.bytesFromReplica(60));
      assertEquals("it failed before the first byte", 0, read.bytesFromReplica(0));
      assertEquals(0, read.bytesFromPages());
    }
  }
}
