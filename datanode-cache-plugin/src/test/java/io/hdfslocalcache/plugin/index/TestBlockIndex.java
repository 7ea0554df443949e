/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.page.PageLayout;
import org.junit.Test;

public class TestBlockIndex {

  private static final int PAGE = 4096;
  private static final int LENGTH = 10 * PAGE;

  private final BlockIndex index = new BlockIndex();

  private static ReplicaSnapshot snapshot(String pool, long id, long stamp) {
    return new ReplicaSnapshot(new BlockKey(pool, id), stamp, LENGTH);
  }

  private CachedBlock register(ReplicaSnapshot snapshot) {
    return index.register(snapshot, new PageLayout(PAGE, TestingReplica.CRC32C, LENGTH), TestingReplica.IDENTITY,
        TestingReplica.SSD).block();
  }

  @Test
  public void register_otherGenerationStamp_replacesAndKills() {
    CachedBlock old = register(snapshot("BP-1", 1, 1001));
    ReplicaSnapshot newer = snapshot("BP-1", 1, 1002);
    BlockIndex.Registration registration =
        index.register(newer, new PageLayout(PAGE, TestingReplica.CRC32C, LENGTH), TestingReplica.IDENTITY,
            TestingReplica.SSD);
    assertSame(old, registration.replaced());
    assertTrue(old.isDead());
    assertNull(index.find(old.snapshot()));
    assertSame(registration.block(), index.find(newer));
    assertEquals(1, index.blocks());
  }

  /** Its pages would never be removed. */
  @Test
  public void register_newEntryCannotBeMade_oldOneLives() {
    CachedBlock old = register(snapshot("BP-1", 1, 1001));
    assertThrows(NullPointerException.class, () -> index.register(snapshot("BP-1", 1, 1002),
        old.layout(), null, TestingReplica.SSD));
    assertFalse(old.isDead());
    assertSame(old, index.find(old.snapshot()));
  }

  @Test
  public void register_otherLength_replaces() {
    CachedBlock old = register(snapshot("BP-1", 1, 1001));
    ReplicaSnapshot shorter = new ReplicaSnapshot(old.snapshot().key(), 1001, LENGTH - 1);
    assertNull(index.find(shorter));
    assertSame(old, index.register(shorter,
        new PageLayout(PAGE, TestingReplica.CRC32C, LENGTH - 1), TestingReplica.IDENTITY, TestingReplica.SSD).replaced());
  }

  @Test
  public void ofPool_twoPools_areThoseOfTheOne() {
    CachedBlock first = register(snapshot("BP-1", 1, 1001));
    CachedBlock second = register(snapshot("BP-1", 2, 1001));
    CachedBlock other = register(snapshot("BP-10", 1, 1001));
    assertEquals(Set.of(first, second), Set.copyOf(index.ofPool("BP-1")));
    assertEquals(List.of(other), index.ofPool("BP-10"));
  }

  @Test
  public void pageAddedAndRemoved_ofKnownAndUnknownBlocks_countsAllMarksTheKnown() {
    CachedBlock block = register(snapshot("BP-1", 1, 1001));
    TestingPage known = new TestingPage(9, 1);
    TestingPage unknown = new TestingPage(0, 1);
    index.pageAdded(block, known);
    index.pageAdded(null, unknown);
    assertEquals(2, index.pages());
    assertEquals(1, block.pages());
    assertEquals(1, block.parts(9));
    index.pageRemoved(null, unknown);
    index.pageRemoved(block, known);
    assertEquals(0, index.pages());
    assertEquals(0, block.pages());
  }

  @Test
  public void register_onAnotherSsd_staysWhereItIs() {
    CachedBlock block = register(snapshot("BP-1", 1, 1000));
    assertSame(block, index.register(
        block.snapshot(), block.layout(), TestingReplica.IDENTITY, () -> Path.of("/other")).block());
    assertEquals(TestingReplica.SSD, block.ssd());
  }

  @Test
  public void pageRemoved_forgottenBefore_isGoneAllTheSame() {
    CachedBlock block = register(snapshot("BP-1", 1, 1001));
    TestingPage page = new TestingPage(1, 1);
    index.pageAdded(block, page);
    assertTrue(block.remove(page));
    assertFalse(block.remove(page));
    assertEquals(0, block.parts(1));
    assertEquals("the store still has it", 1, index.pages());
    block.removeReader();
    index.pageRemoved(block, page);
    assertEquals(0, index.pages());
    assertEquals(0, index.blocks());
  }

  @Test
  public void forEachOfAKey_killedWhileRead_isFoundUntilNobodyReadsIt() {
    CachedBlock old = register(snapshot("BP-1", 1, 1001));
    assertTrue(old.addReader());
    assertTrue(index.discard(old));
    CachedBlock later = register(snapshot("BP-1", 1, 1002));
    register(snapshot("BP-1", 2, 1001));
    assertEquals(Set.of(old, later), ofKey(old.snapshot().key()));
    old.removeReader();
    old.removeReader();
    assertEquals(Set.of(later), ofKey(old.snapshot().key()));
    index.forEachStillRead(block -> fail("read by nobody: " + block));
  }

  @Test
  public void ofPool_killedWhileRead_isFoundUntilNobodyReadsIt() {
    CachedBlock old = register(snapshot("BP-1", 1, 1001));
    register(snapshot("BP-2", 1, 1001));
    assertTrue(index.discard(old));
    assertEquals(List.of(old), index.ofPool("BP-1"));
    CachedBlock later = register(snapshot("BP-1", 1, 1002));
    assertEquals(Set.of(old, later), Set.copyOf(index.ofPool("BP-1")));
    old.removeReader();
    assertEquals(List.of(later), index.ofPool("BP-1"));
  }

  private Set<CachedBlock> ofKey(BlockKey key) {
    Set<CachedBlock> found = new HashSet<>();
    index.forEach(key, found::add);
    return found;
  }

  @Test
  public void clear_severalPools_killsAll() {
    CachedBlock first = register(snapshot("BP-1", 1, 1001));
    CachedBlock second = register(snapshot("BP-2", 1, 1001));
    index.clear();
    assertTrue(first.isDead() && second.isDead());
    assertEquals(0, index.blocks());
  }

  private CachedBlock registerRestored(ReplicaSnapshot snapshot, ReplicaIdentity identity) {
    return index.registerRestored(snapshot, new PageLayout(PAGE, TestingReplica.CRC32C, LENGTH),
        identity.fileId(snapshot), TestingReplica.SSD).block();
  }

  /** Millions of entries live as long as their pages. */
  @Test
  public void register_eachReadHasItsOwnStrings_entriesShareThem() {
    CachedBlock first = register(snapshot(new String("BP-1"), 1, 1001));
    ReplicaSnapshot snapshot = snapshot(new String("BP-1"), 2, 1001);
    String name = TestingReplica.IDENTITY.fileId(snapshot);
    CachedBlock restored = index.registerRestored(snapshot,
        new PageLayout(PAGE, TestingReplica.CRC32C, LENGTH), name, TestingReplica.SSD).block();
    assertSame(first.snapshot().key().blockPoolId(), restored.snapshot().key().blockPoolId());
    assertSame(name, restored.fileId());
  }

  @Test
  public void register_restoredFromTheSameReplica_provesIt() {
    CachedBlock block = registerRestored(snapshot("BP-1", 1, 1001), TestingReplica.IDENTITY);
    assertFalse(block.isProven());
    assertSame(block, register(block.snapshot()));
    assertTrue(block.isProven());
  }

  @Test
  public void register_restoredFromAnotherReplica_isReplaced() {
    CachedBlock old = registerRestored(snapshot("BP-1", 1, 1001), ReplicaIdentity.NONE);
    CachedBlock block = register(old.snapshot());
    assertNotSame(old, block);
    assertTrue(old.isDead());
    assertTrue(block.isProven());
    index.pageAdded(old, new TestingPage(1, 1));
    assertEquals("pages do not mix", 0, block.pages());
  }

  @Test
  public void registerRestored_thereIsALivingEntry_stays() {
    CachedBlock block = register(snapshot("BP-1", 1, 1001));
    assertSame(block, registerRestored(block.snapshot(), ReplicaIdentity.NONE));
    CachedBlock other = registerRestored(snapshot("BP-1", 2, 1001), ReplicaIdentity.NONE);
    assertSame(other, registerRestored(other.snapshot(), TestingReplica.IDENTITY));
    assertFalse(other.isProven());
  }

  /** The disk balancer has copied its files. */
  @Test
  public void register_provenAndMovedSince_stays() {
    CachedBlock block = register(snapshot("BP-1", 1, 1001));
    assertSame(block, index.register(
        block.snapshot(), block.layout(), ReplicaIdentity.NONE, TestingReplica.SSD).block());
    assertTrue(block.isProven());
  }
}
