/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestFallbackReplica {

  private static final IOException GONE = new IOException("gone");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

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
    fallback.close();
    fallback.close();
    index.discard(block);
    assertEquals(replica.opens(), replica.closes());
  }

  /** A DataNode that no longer has the replica. */
  private static ReplicaAccess gone() {
    return new ReplicaAccess() {
      @Override
      public boolean isCurrent(ReplicaSnapshot snapshot) {
        return false;
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
        throw GONE;
      }
    };
  }

  private FallbackReplica later() {
    return new FallbackReplica(block, gone());
  }

  /** The replica cannot be opened any more. */
  private void refuse() {
    fallback.close();
    fallback = new FallbackReplica(block, gone());
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
}
