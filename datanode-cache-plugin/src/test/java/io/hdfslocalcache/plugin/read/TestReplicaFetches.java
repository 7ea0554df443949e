/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.fill.Volume;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.PageNotReadException;
import org.junit.Test;

/** Parts that are read from the replica. */
public class TestReplicaFetches extends PageFetchesFixture {

  private static final int PART = PAGE / 2;

  private final List<Runnable> ends = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private final AtomicInteger sourceReads = new AtomicInteger();

  private PageSlice slice(int page, int first, int last) {
    return PageSlice.ofParts(block.layout(), page, first, last);
  }

  private PageBytes readThrough(PageSlice slice, PageFetches.Source source) throws IOException {
    return fetches.readThrough(
        block, slice, slice.from(), slice.to(), slice.to(), Budgets.ample(),
        visit(source, (read, buffer, end) -> {
          assertEquals(slice, read);
          ends.add(end);
        }), Runnable::run);
  }

  private interface Done {
    void accept(PageSlice slice, ByteBuffer buffer, Runnable end);
  }

  private PageFetches.Visit visit(PageFetches.Source source, Done then) {
    return new PageFetches.Visit() {
      @Override
      public void read(CachedBlock of, PageSlice slice, ByteBuffer buffer) throws IOException {
        source.read(of, slice, buffer);
      }

      @Override
      public void done(PageSlice slice, ByteBuffer buffer, Runnable end) {
        then.accept(slice, buffer, end);
      }

      @Override
      public void failed(Throwable why) {
        failures.add(why);
      }
    };
  }

  private PageBytes readThrough(PageSlice slice) throws IOException {
    try (ReplicaFiles files = replica.open()) {
      return readThrough(slice, counted(of(files)));
    }
  }

  private static PageFetches.Source of(ReplicaFiles files) {
    Volume volume = new Volume(System::nanoTime);
    return (of, slice, buffer) -> volume.read(of, slice, buffer, files, false);
  }

  private PageFetches.Source counted(PageFetches.Source source) {
    return (of, slice, buffer) -> {
      sourceReads.incrementAndGet();
      source.read(of, slice, buffer);
    };
  }

  private void endAll() {
    ends.forEach(Runnable::run);
    ends.clear();
  }

  @Test
  public void readThrough_nobodyElse_readsDataAndChecksumsInOneRequestEach() throws IOException {
    try (PageBytes bytes = readThrough(slice(0, 0, 1))) {
      assertRight(bytes, 0, 0, PAGE);
      assertTrue(bytes.covers(0, PAGE));
      assertEquals(PageBytes.Origin.REPLICA, bytes.origin());
    }
    assertEquals(PAGE, replica.dataRead());
    assertEquals(PAGE / 128, replica.checksumsRead());
    assertTrue("until it is written, it is kept", buffers.inUseBytes() > 0);
    endAll();
    assertEquals(0, buffers.inUseBytes());
  }

  @Test
  public void readThrough_visitReadsMore_onlyTheTimeOfTheWantedBytesIsFree() throws IOException {
    List<Long> free = new ArrayList<>();
    WaitBudget budget = new WaitBudget(TimeUnit.MINUTES.toNanos(1), System::nanoTime, bytes -> {
      free.add(bytes);
      return 0;
    });
    try (ReplicaFiles files = replica.open()) {
      fetches.readThrough(block, slice(0, 0, 1), 512, 1024, 2048, budget,
          visit(of(files), (slice, buffer, end) -> end.run()), Runnable::run).close();
    }
    assertEquals(List.of(1536L), free);
  }

  @Test
  public void readThrough_oldBytesInTheBuffer_areNotWritten() throws IOException {
    BufferPool.Buffer dirty = buffers.take(slice(2, 0, 0).bufferLength());
    while (dirty.bytes().hasRemaining()) {
      dirty.bytes().put((byte) 7);
    }
    dirty.close();
    List<ByteBuffer> read = new ArrayList<>();
    PageSlice last = slice(2, 0, 0);
    try (ReplicaFiles files = replica.open()) {
      fetches.readThrough(block, last, 0, last.to(), last.to(), Budgets.ample(),
          visit(of(files), (slice, buffer, end) -> {
            ByteBuffer copy = ByteBuffer.allocate(slice.bufferLength());
            copy.put(buffer.duplicate().clear().limit(slice.bufferLength())).flip();
            read.add(copy);
            end.run();
          }), Runnable::run).close();
    }
    assertEquals(replica.parts(last), read.get(0));
  }

  @Test
  public void readThrough_sameBytesBeforeTheyAreWritten_areShared() throws IOException {
    PageBytes first = readThrough(slice(0, 0, 1));
    try (PageBytes second = readThrough(slice(0, 1, 1))) {
      assertRight(second, 0, PART, PAGE);
      assertEquals(PageBytes.Origin.MEMORY, second.origin());
    }
    assertEquals(1, sourceReads.get());
    first.close();
    endAll();
    readThrough(slice(0, 1, 1)).close();
    assertEquals("afterwards the SSD has it", 2, sourceReads.get());
    endAll();
  }

  @Test
  public void get_fromTheSsdWhatIsBeingRead_isShared() throws IOException {
    holdTheSsd();
    PageBytes first = readThrough(slice(0, 0, 1));
    try (PageBytes second = get(0, PART, PAGE)) {
      assertRight(second, 0, PART, PAGE);
    }
    first.close();
    endAll();
  }

  @Test
  public void readThrough_otherPartOrPage_isReadItself() throws IOException {
    try (PageBytes first = readThrough(slice(0, 0, 0));
         PageBytes second = readThrough(slice(0, 0, 1));
         PageBytes third = readThrough(slice(1, 0, 0))) {
      assertRight(first, 0, 0, PART);
      assertRight(second, 0, 0, PAGE);
      assertRight(third, 1, 0, PART);
    }
    assertEquals(3, sourceReads.get());
    endAll();
  }

  @Test
  public void readThrough_noMemoryForAThread_nextReaderDoesNotWaitForIt() throws IOException {
    assertThrows(PageNotReadException.class, () -> fetches.readThrough(
        block, slice(0, 0, 1), 0, PAGE, PAGE, Budgets.ample(), visit(null, null), visit -> {
          throw new OutOfMemoryError("thrown by a test");
        }));
    try (PageBytes bytes = readThrough(slice(0, 0, 1))) {
      assertRight(bytes, 0, 0, PAGE);
      assertEquals(PageBytes.Origin.REPLICA, bytes.origin());
    }
    endAll();
  }

  @Test
  public void readThrough_noMemory_saysSoAndReadsNothing() throws IOException {
    List<BufferPool.Buffer> held = new ArrayList<>();
    for (BufferPool.Buffer buffer = buffers.take(PART); buffer != null;) {
      held.add(buffer);
      buffer = buffers.take(PART);
    }
    assertThrows(PageNotReadException.class, () -> readThrough(slice(0, 0, 1)));
    assertEquals(PageNotReadException.NoBuffer.class, failures.get(0).getClass());
    assertEquals(0, replica.dataRead());
    assertEquals(0, ends.size());
    held.forEach(BufferPool.Buffer::close);
    assertEquals(0, buffers.inUseBytes());
    readThrough(slice(0, 0, 1)).close();
    endAll();
  }

  @Test
  public void readThrough_replicaDoesNotMatchItsChecksums_nobodyGetsIt() throws IOException {
    assertThrows(PageNotReadException.class, () -> {
      try (ReplicaFiles files = replica.open()) {
        PageFetches.Source source = of(files);
        readThrough(slice(0, 0, 1), (of, slice, buffer) -> {
          source.read(of, slice, buffer);
          buffer.put(PART + 3, (byte) ~buffer.get(PART + 3));
        });
      }
    });
    assertEquals(DamagedPageException.class, failures.get(0).getClass());
    assertEquals(0, ends.size());
    assertEquals(0, buffers.inUseBytes());
  }

  private static void raise(Throwable error) throws IOException {
    if (error instanceof IOException e) {
      throw e;
    } else if (error instanceof RuntimeException e) {
      throw e;
    }
    throw (Error) error;
  }

  @Test
  public void readThrough_firstFails_itSaysWhyAndOthersThatItFailed() throws Exception {
    for (Throwable error : List.of(new IOException("the disk is gone"),
        new IllegalStateException("a bug"), new OutOfMemoryError("thrown by a test"))) {
      List<Reader> others = new ArrayList<>();
      failures.clear();
      assertThrows(PageNotReadException.class, () -> readThrough(slice(0, 0, 1),
          (of, slice, buffer) -> {
            for (int i = 0; i < 3; i++) {
              others.add(reader(() -> readThrough(slice(0, 0, 1))));
            }
            raise(error);
          }));
      assertEquals(List.of(error), failures);
      for (Reader other : others) {
        ExecutionException e =
            assertThrows(ExecutionException.class, () -> other.result().get());
        assertEquals(PageNotReadException.class, e.getCause().getClass());
      }
      assertEquals(0, buffers.inUseBytes());
      assertFalse("nothing is left to be written", ends.size() > 0);
    }
  }
}
