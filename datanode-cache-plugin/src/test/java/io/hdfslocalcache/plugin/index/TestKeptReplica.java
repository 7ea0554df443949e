/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** How long a replica that changes is kept open for readers of its pages. */
public class TestKeptReplica {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final BlockIndex index = new BlockIndex();
  private TestingReplica replica;
  /** Has one reader. */
  private CachedBlock block;

  @Before
  public void create() throws IOException {
    replica = TestingReplica.create(folder.getRoot().toPath(), 1, 100);
    block = register();
  }

  private CachedBlock register() {
    return index.register(
        replica.snapshot(), replica.layout(4096),
        TestingReplica.IDENTITY, TestingReplica.SSD).block();
  }

  @After
  public void everythingOpenedIsClosed() {
    assertEquals(replica.opens(), replica.closes());
  }

  private boolean isKept() {
    ReplicaFiles kept = block.keptReplica();
    if (kept != null) {
      kept.close();
    }
    return kept != null;
  }

  /** The replica is deleted. */
  private void delete() throws IOException {
    block.replicaMoved(replica::open);
    index.discard(block);
    assertEquals("while locks are held", 0, replica.opens());
    block.keepReplica();
  }

  @Test
  public void keepReplica_nobodyReads_opensNothing() throws IOException {
    block.removeReader();
    delete();
    assertEquals(0, replica.opens());
    assertNull(block.keptReplica());
  }

  @Test
  public void keepReplica_alive_opensNothing() throws IOException {
    block.replicaMoved(replica::open);
    block.keepReplica();
    assertEquals("an append continues the files", 0, replica.opens());
  }

  @Test
  public void keepReplica_cannotBeOpened_throws() {
    block.replicaMoved(asItWas -> {
      throw new IOException("gone");
    });
    index.discard(block);
    assertThrows(IOException.class, block::keepReplica);
    assertFalse(isKept());
  }

  /** The id of a deleted block may be given out again while a client still reads. */
  @Test
  public void replicaMoved_afterItHasLeft_otherReplicasOfTheBlockAreNoneOfItsBusiness() {
    ReplicaFiles.Opener left = new ReplicaFiles.Opener() {
      @Override
      public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
        return replica.open();
      }

      @Override
      public boolean isLast() {
        return true;
      }
    };
    block.replicaMoved(left);
    block.replicaMoved(snapshot -> {
      throw new AssertionError("of another replica");
    });
    assertSame(left, block.movedReplica());
  }

  @Test
  public void replicaMoved_again_theLaterIsToldOfTheEarlier() throws IOException {
    ReplicaFiles.Opener first = replica::open;
    block.replicaMoved(first);
    AtomicReference<ReplicaFiles.Opener> told = new AtomicReference<>();
    ReplicaFiles.Opener both = replica::open;
    block.replicaMoved(new ReplicaFiles.Opener() {
      @Override
      public ReplicaFiles open(ReplicaSnapshot snapshot) {
        throw new AssertionError("knows less than both");
      }

      @Override
      public ReplicaFiles.Opener since(ReplicaFiles.Opener before) {
        told.set(before);
        return both;
      }
    });
    assertSame(first, told.get());
    assertSame(both, block.movedReplica());
  }
}
