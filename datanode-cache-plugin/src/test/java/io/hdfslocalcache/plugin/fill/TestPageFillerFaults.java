/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.Operation;
import org.junit.Test;

/** Fills that fail: counted, never thrown, and nothing wrong becomes visible. */
public class TestPageFillerFaults extends PageFillerFixture {

  @Test
  public void fill_damagedPage_neverBecomesVisible() throws IOException {
    overwriteReplica(2 * PAGE + 100);
    fill();
    assertCached(0, 1, 3, 4);
    assertOnlyError(Operation.FILL_VERIFY, ErrorCause.DAMAGED);
    String why = filler.unreadable(replica.snapshot());
    assertTrue(why, why.startsWith("data does not match its checksums: page 2 "));
    filler.forgetUnreadable(replica.snapshot());
    assertEquals("", filler.unreadable(replica.snapshot()));
    assertEquals(4, metrics.total(Event.FILLS));
  }

  @Test
  public void fill_damagedPageOnly_leavesNoEntry() throws IOException {
    use(TestingReplica.create(root, 2, PAGE));
    overwriteReplica(100);
    fill();
    assertNothingCached();
  }

  private void overwriteReplica(long position) throws IOException {
    try (FileChannel file =
        FileChannel.open(replica.blockFile(), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(1), position);
    }
  }

  @Test
  public void fill_replicaShorterThanItsLength_isCountedAndWhatWasReadStays()
      throws IOException {
    try (FileChannel file =
        FileChannel.open(replica.blockFile(), StandardOpenOption.WRITE)) {
      file.truncate(2 * PAGE + 10);
    }
    fill();
    assertCached(0, 1);
    assertOnlyError(Operation.FILL_READ, ErrorCause.IO);
  }

  @Test
  public void fill_dataVolumeIsToBeRemoved_endsAndIsNoError() throws IOException {
    AtomicInteger pauses = new AtomicInteger();
    pace = bytes -> {
      if (pauses.incrementAndGet() == 3) {
        replicas.afterOpen(() -> {
          throw new ClosedChannelException();
        });
      }
    };
    fill();
    assertCached(0, 1);
    assertEquals(3, pauses.get());
    assertEquals(1, metrics.total(Event.FILLS_DROPPED_STALE));
    assertEquals(0, metrics.errors());
  }

  @Test
  public void fill_dataNodeFailsOnceTheBlockIsEntered_leavesNoEntry() throws IOException {
    replicas.failAfter(1);
    fill();
    assertNothingCached();
    assertOnlyError(Operation.FILL_READ, ErrorCause.INTERNAL);
  }

  @Test
  public void fill_allBuffersInUse_isDroppedAndCounted() throws IOException {
    buffers = new BufferPool(0);
    use(replica);
    fill();
    assertEquals(5, metrics.total(Event.FILLS_DROPPED_NO_BUFFER));
    assertEquals(0, metrics.errors());
    assertNothingCached();
  }
}
