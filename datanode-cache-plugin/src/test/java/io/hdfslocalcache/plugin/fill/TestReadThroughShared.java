/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Operation;
import org.junit.Test;

/** Many readers miss the same bytes. */
public class TestReadThroughShared extends ReadThroughFixture {

  private static final int READERS = 20;

  private final List<FutureTask<PageBytes>> others = new ArrayList<>();

  /** While the first reader reads, others come. */
  private void othersComeMeanwhile(TestingReplicas.Incident then) {
    replicas.afterRead(() -> {
      replicas.afterRead(() -> { });
      for (int i = 0; i < READERS; i++) {
        others.add(waitingReader(0, i * 512, i * 512 + 512));
      }
      then.happen();
    });
  }

  @Test
  public void get_manyAtOnce_replicaIsReadOnce() throws Exception {
    othersComeMeanwhile(() -> { });
    assertEquals(PageBytes.Origin.REPLICA, getRight(newRead(), 0, 0, 512));
    for (int i = 0; i < READERS; i++) {
      try (PageBytes bytes = others.get(i).get()) {
        assertRight(bytes, 0, i * 512, i * 512 + 512);
        assertEquals("others did not go to the volume", PageBytes.Origin.MEMORY, bytes.origin());
      }
    }
    assertEquals(PART, replica.dataRead());
    awaitWritten();
    assertCached(0, 0b1);
    assertEquals(PART + 4096, written.get());
  }

  @Test
  public void get_firstReaderHangsAtTheVolume_othersGiveUpAndItGoesOn() throws Exception {
    replicas.afterRead(() -> {
      replicas.afterRead(() -> { });
      budgetNanos = TimeUnit.MILLISECONDS.toNanos(50);
      assertNull("goes to the volume itself", get(newRead(), 0, 0, 512));
    });
    getRight(newRead(), 0, 0, 512);
    awaitWritten();
    assertCached(0, 0b1);
    assertEquals("that others gave up is no error", 0, metrics.errors());
  }

  @Test
  public void get_firstReaderFails_othersGoToTheReplica() throws Exception {
    othersComeMeanwhile(() -> {
      throw new IOException("the disk is gone");
    });
    assertNull(get(newRead(), 0, 0, 512));
    for (FutureTask<PageBytes> other : others) {
      assertNull(other.get());
    }
    assertEquals(PART, replica.dataRead());
    assertEquals("said once", 1, metrics.errors(Operation.FILL_READ, ErrorCause.IO));
    assertEquals(1, metrics.errors());
    assertNothingCached();
    assertNull("those who come soon do not try", get(newRead(), 0, 0, 512));
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(10) + 1);
    assertEquals("those who come later try", PageBytes.Origin.REPLICA,
        getRight(newRead(), 0, 0, 512));
  }
}
