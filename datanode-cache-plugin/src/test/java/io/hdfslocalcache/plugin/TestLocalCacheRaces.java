/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.hdfslocalcache.plugin.admin.OnOff;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.fill.FillRequest;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.ssd.KeptState;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.ratelimit.AdmitAll;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Changes, fills, switches and the end, each in the middle of another. */
public class TestLocalCacheRaces implements ReplicaAccess {

  private static final int LENGTH = 4 * TestingSsd.PAGE + 700;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private Path root;
  private TestingReplica replica;
  private volatile boolean current = true;
  private volatile Runnable beforeOpen = () -> { };
  private OnOff onOff;
  private LocalCache cache;

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    replica = TestingReplica.create(root, 1, LENGTH);
    start();
  }

  private void start() throws IOException {
    onOff = new OnOff(true, true, metrics);
    cache = new LocalCache(TestingSsd.config(1 << 20, root.resolve("ssd")), onOff,
        new AdmitAll(null, null), this, metrics, "dn-uuid", message -> { },
        RuleKeeper.none(), KeptState.nowhere());
  }

  @After
  public void close() throws IOException {
    cache.close();
    assertEquals("the replica stays open", replica.opens(), replica.closes());
    assertEquals(List.of(), TestingSsd.openFilesBelow(root));
    assertEquals(0, metrics.errors());
  }

  @Override
  public boolean isCurrent(ReplicaSnapshot snapshot) {
    return current && snapshot.equals(replica.snapshot());
  }

  @Override
  public String volumeOf(BlockKey key) {
    return current ? "volume" : null;
  }

  @Override
  public ReplicaIdentity identity(ReplicaSnapshot snapshot) {
    return TestingReplica.IDENTITY;
  }

  @Override
  public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
    beforeOpen.run();
    if (!isCurrent(snapshot)) {
      throw new IOException("no such replica");
    }
    return replica.open();
  }

  @Override
  public ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
      throws IOException {
    return open(snapshot);
  }

  private ClientRead begin() {
    return cache.beginRead("test", null, replica.snapshot(),
        replica.snapshot().generationStamp(), null, 0, LENGTH);
  }

  /** Reads the whole block, as a client would get it. @return whether pages served it. */
  private boolean read() throws IOException {
    ClientRead read = begin();
    if (read.reader().isPresent()) {
      assertRest(read, 0);
      read.reader().get().close();
    }
    read.finish(LENGTH);
    return read.bytesFromPages() == LENGTH;
  }

  private void assertRest(ClientRead read, int from) throws IOException {
    byte[] bytes = new byte[LENGTH - from];
    read.reader().orElseThrow().seek(from);
    read.reader().orElseThrow().readData(bytes, 0, bytes.length);
    assertArrayEquals(Arrays.copyOfRange(replica.data(), from, LENGTH), bytes);
  }

  private void settle() {
    LocalCacheCluster.await("fills", () -> cache.fills().isIdle());
    LocalCacheCluster.await("removals", () -> cache.invalidations().isIdle());
  }

  private void fill() throws IOException {
    read();
    settle();
    assertEquals(5, cache.index().cached(replica.snapshot().key()).pages());
  }

  private void delete(ReplicaFiles.Opener moved) {
    BlockKey key = replica.snapshot().key();
    current = false;
    cache.changes().replicaChanged(key, null, false, moved, "deleted");
    cache.changes().filesLeave(key.blockPoolId(), key.blockId());
  }

  @Test
  public void close_whileAChangeIsHandled_pagesAreNotServedAfterTheNextStart()
      throws IOException {
    fill();
    ClientRead read = begin();
    // Opened because somebody reads, between the death of the pages and their removal.
    delete(asItWas -> {
      cache.close();
      return replica.open();
    });
    read.reader().orElseThrow().close();
    read.finish(0);
    start();
    settle();
    assertFalse(read());
    assertNull(cache.index().cached(replica.snapshot().key()));
  }

  @Test
  public void close_whileAFillCopies_endsTheFill() throws Exception {
    CountDownLatch filling = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    beforeOpen = () -> {
      filling.countDown();
      try {
        closing.await();
      } catch (InterruptedException e) {
        // By the end of the local cache.
        Thread.currentThread().interrupt();
      }
    };
    cache.fills().submit(FillRequest.order("volume", replica.snapshot(), null));
    filling.await();
    cache.close();
    closing.countDown();
    assertEquals(0, cache.index().blocks());
    beforeOpen = () -> { };
    start();
    assertFalse("nothing half-done is served", read());
    settle();
    assertTrue(read());
  }
}
