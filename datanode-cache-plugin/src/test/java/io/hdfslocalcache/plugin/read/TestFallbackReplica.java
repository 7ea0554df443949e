/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.testing.Pauses;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestFallbackReplica {

  private static final IOException GONE = new IOException("gone");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Pauses pauses = new Pauses();
  private final BlockIndex index = new BlockIndex();
  private TestingReplica replica;
  private CachedBlock block;
  private FallbackReplica fallback;

  @Before
  public void create() throws IOException {
    replica = TestingReplica.create(folder.getRoot().toPath(), 1, 100);
    block = index
        .register(replica.snapshot(), replica.layout(4096),
        TestingReplica.IDENTITY, TestingReplica.SSD).block();
    fallback = new FallbackReplica(block, replica);
    assertTrue(fallback.hold());
  }

  @After
  public void everythingOpenedIsClosed() {
    pauses.end();
    fallback.close();
    fallback.close();
    index.discard(block);
    assertEquals(replica.opens(), replica.closes());
  }

  /** A DataNode that no longer has the replica. */
  private static ReplicaAccess gone() {
    return failing(false, () -> {
      throw GONE;
    });
  }

  /** Opens a replica for a client. */
  private interface Opening {
    ReplicaFiles open() throws IOException;
  }

  private static ReplicaAccess failing(boolean isCurrent, Opening opening) {
    return new ReplicaAccess() {
      @Override
      public boolean isCurrent(ReplicaSnapshot snapshot) {
        return isCurrent;
      }

      @Override
      public String volumeOf(BlockKey key) {
        return null;
      }

      @Override
      public ReplicaIdentity identity(ReplicaSnapshot snapshot) {
        return TestingReplica.IDENTITY;
      }

      @Override
      public ReplicaFiles open(ReplicaSnapshot snapshot) {
        throw new AssertionError("a client reads");
      }

      @Override
      public ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
          throws IOException {
        return opening.open();
      }
    };
  }

  private FallbackReplica later() {
    return new FallbackReplica(block, gone());
  }

  /** The replica cannot be opened any more. */
  private void refuse() {
    use(gone());
  }

  private void use(ReplicaAccess replicas) {
    fallback.close();
    fallback = new FallbackReplica(block, replicas);
    assertTrue(fallback.hold());
  }

  /** The replica's files are deleted. @return those that were opened before */
  private ReplicaFiles delete() throws IOException {
    ReplicaFiles files = replica.open();
    block.replicaMoved(asItWas -> files);
    index.discard(block);
    block.keepReplica();
    block.replicaMoved(asItWas -> {
      throw GONE;
    });
    return files;
  }

  @Test
  public void get_twice_opensOnce() throws IOException {
    assertSame(fallback.get(true), fallback.get(true));
    assertEquals(1, replica.opens());
  }

  @Test
  public void get_filesWereDeleted_areThoseThatWereKept() throws IOException {
    refuse();
    ReplicaFiles kept = delete();
    FallbackReplica other = later();
    assertFalse("too late for new readers", other.hold());
    other.close();
    block.removeReader();
    assertSame(kept, fallback.get(true));
    assertEquals(0, replica.closes());
    fallback.close();
    assertEquals(1, replica.closes());
  }

  @Test
  public void get_notKept_throwsAsTheDataNodeWould() {
    refuse();
    assertSame(GONE, assertThrows(IOException.class, () -> fallback.get(true)));
  }

  @Test
  public void get_interrupted_doesNotWait() {
    refuse();
    Thread.currentThread().interrupt();
    try {
      assertSame(GONE, assertThrows(IOException.class, () -> fallback.get(true)));
    } finally {
      Thread.interrupted();
    }
  }

  private ReplicaFiles openAtThirdTry(AtomicInteger tries) throws IOException {
    if (tries.incrementAndGet() < 3) {
      throw new FileNotFoundException("neither here nor there");
    }
    return replica.open();
  }

  /** The DataNode moves the files before it changes its map, or after a reader has looked there. */
  @Test
  public void get_currentAndItsFilesAreBeingMoved_triesAgain() throws IOException {
    AtomicInteger tries = new AtomicInteger();
    use(failing(true, () -> openAtThirdTry(tries)));
    assertNotNull(fallback.get(true));
    assertEquals(3, tries.get());
  }

  @Test
  public void get_movingTakesLong_readerWaitsHardlyLonger() throws IOException {
    long end = TimeUnit.MILLISECONDS.toNanos(600);
    pauses.begin();
    use(failing(true, () -> {
      if (pauses.nanoTime() < end) {
        throw new FileNotFoundException("neither here nor there");
      }
      return replica.open();
    }));
    assertNotNull(fallback.get(true));
    long late = pauses.nanoTime() - end;
    assertTrue(late + " ns", late <= TimeUnit.MILLISECONDS.toNanos(16));
  }

  @Test
  public void get_deletedWhileASlowVolumeOpensIt_isWhatWasKept() throws IOException {
    AtomicReference<ReplicaFiles> kept = new AtomicReference<>();
    pauses.begin();
    use(failing(false, () -> {
      // Longer than the patience with files that are being moved.
      pauses.sleep(TimeUnit.MILLISECONDS.toNanos(1100));
      kept.set(delete());
      throw GONE;
    }));
    ReplicaFiles files = fallback.get(true);
    assertSame(kept.get(), files);
    block.removeReader();
  }

  @Test
  public void get_currentAndCannotBeRead_failsAtOnce() {
    AtomicInteger tries = new AtomicInteger();
    IOException sick = new IOException("blk_1 (Input/output error)");
    use(failing(true, () -> {
      tries.incrementAndGet();
      throw sick;
    }));
    assertSame(sick, assertThrows(IOException.class, () -> fallback.get(true)));
    assertEquals(1, tries.get());
  }

  @Test
  public void get_appendedToAndCannotBeRead_failsAtOnce() {
    refuse();
    AtomicInteger tries = new AtomicInteger();
    IOException sick = new IOException("blk_1 (Input/output error)");
    block.replicaMoved(snapshot -> {
      tries.incrementAndGet();
      throw sick;
    });
    assertSame(sick, assertThrows(IOException.class, () -> fallback.get(true)));
    assertEquals(1, tries.get());
  }

  @Test
  public void get_appendedToAndItsFilesAreBeingMoved_triesAgain() throws IOException {
    refuse();
    AtomicInteger tries = new AtomicInteger();
    block.replicaMoved(snapshot -> openAtThirdTry(tries));
    assertNotNull(fallback.get(true));
    assertEquals(3, tries.get());
  }

  @Test
  public void get_removedAndFilesGone_failsAtOnce() {
    refuse();
    AtomicInteger tries = new AtomicInteger();
    block.replicaMoved(new ReplicaFiles.Opener() {
      @Override
      public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
        tries.incrementAndGet();
        throw new FileNotFoundException("deleted");
      }

      @Override
      public boolean isLast() {
        return true;
      }
    });
    assertThrows(FileNotFoundException.class, () -> fallback.get(true));
    assertEquals(1, tries.get());
  }
}
