/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;

import io.hdfslocalcache.plugin.block.SharedReplicaFiles;
import io.hdfslocalcache.plugin.block.TestingReplica;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** How long a replica that changes is kept open for those who read pages of it. */
public class TestKeptReplica {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private TestingReplica replica;
  private CachedBlock block;

  @Before
  public void create() throws IOException {
    replica = TestingReplica.create(folder.getRoot().toPath(), 1, 100);
    block = new CachedBlock(replica.snapshot(), replica.layout(4096), TestingReplica.IDENTITY,
            TestingReplica.SSD);
  }

  @After
  public void everythingOpenedIsClosed() {
    assertEquals(replica.opens(), replica.closes());
  }

  @Test
  public void keepReplica_deadAndNobodyReads_opensNothing() throws IOException {
    block.addReader();
    block.removeReader();
    block.kill();
    block.keepReplica(replica::open);
    assertEquals(0, replica.opens());
    assertNull(block.keptReplica());
  }

  @Test
  public void keepReplica_deadAndRead_isOpenUntilTheLastReaderIsDone() throws IOException {
    block.addReader();
    block.addReader();
    block.kill();
    block.keepReplica(replica::open);
    block.removeReader();
    assertTrue(block.keepsReplica());
    assertEquals(0, replica.closes());
    block.removeReader();
    assertFalse(block.keepsReplica());
    assertEquals(1, replica.closes());
  }

  @Test
  public void keepReplica_alive_isOpenUntilKilledEvenIfNobodyReads() throws IOException {
    block.keepReplica(replica::open);
    block.addReader();
    block.removeReader();
    assertTrue("a reader of the old state may come", block.keepsReplica());
    block.kill();
    assertEquals(1, replica.closes());
  }

  @Test
  public void keepReplica_again_keepsTheFirst() throws IOException {
    block.keepReplica(replica::open);
    block.keepReplica(replica::open);
    assertEquals(1, replica.opens());
    block.kill();
  }

  @Test
  public void keepReplica_cannotBeOpened_throws() {
    assertThrows(IOException.class, () -> block.keepReplica(() -> {
      throw new IOException("gone");
    }));
    assertFalse(block.keepsReplica());
  }

  @Test
  public void keptReplica_released_staysOpenForWhoTookIt() throws IOException {
    block.keepReplica(replica::open);
    SharedReplicaFiles taken = block.keptReplica();
    SharedReplicaFiles second = block.keptReplica();
    assertSame(taken, second);
    block.kill();
    second.release();
    assertEquals(0, replica.closes());
    taken.release();
    assertEquals(1, replica.closes());
    assertFalse(taken.retain());
  }

  @Test
  public void addReader_dead_isRefused() {
    assertTrue(block.addReader());
    block.kill();
    assertFalse(block.addReader());
  }

  @Test
  public void keepAndKillAndRead_race_alwaysClosedInTheEnd() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      CachedBlock raced =
          new CachedBlock(replica.snapshot(), replica.layout(4096), TestingReplica.IDENTITY,
            TestingReplica.SSD);
      CyclicBarrier start = new CyclicBarrier(2);
      FutureTask<Void> reader = new FutureTask<>(() -> read(raced, start));
      new Thread(reader).start();
      start.await();
      if (random.nextBoolean()) {
        raced.keepReplica(replica::open);
        raced.kill();
      } else {
        raced.kill();
        raced.keepReplica(replica::open);
      }
      reader.get();
      assertEquals(replica.opens(), replica.closes());
    }
  }

  private static Void read(CachedBlock block, CyclicBarrier start) throws Exception {
    start.await();
    block.addReader();
    SharedReplicaFiles kept = block.keptReplica();
    if (kept != null) {
      kept.release();
    }
    block.removeReader();
    return null;
  }
}
