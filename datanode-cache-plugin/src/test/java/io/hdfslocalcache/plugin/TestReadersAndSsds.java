/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.admin.OnOff;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.read.SnapshotReader;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.plugin.ssd.KeptState;
import io.hdfslocalcache.plugin.ssd.TestingSsd;
import io.hdfslocalcache.ratelimit.AdmitAll;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.WatchedFiles;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/**
 * A thread that serves a client calls into no file system of an SSD: any such call may hang. All
 * files below the directory of the SSD are watched here, whoever opens, looks at or deletes them.
 */
public class TestReadersAndSsds implements ReplicaAccess {

  /** Short, for damaged pages take the SSD down now and then. */
  private static final String PROBE_INTERVAL = "50ms";
  private static final int PAGE = TestingSsd.PAGE;
  private static final int LENGTH = 5 * PAGE;
  private static final int BLOCKS = 6;
  private static final String CLIENT = "client-";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(120);

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private final OnOff onOff = new OnOff(true, true, metrics);
  private final Map<Long, TestingReplica> replicas = new ConcurrentHashMap<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final Queue<Throwable> offences = new ConcurrentLinkedQueue<>();
  private final AtomicLong stamps = new AtomicLong(1001);
  private Path root;
  private Path watched;
  private LocalCache cache;

  @Before
  public void open() throws IOException {
    root = folder.getRoot().toPath().toRealPath();
    for (long id = 0; id < BLOCKS; id++) {
      replicas.put(id, replica(id));
    }
    watched = new WatchedFiles(this::called).of(Files.createDirectory(root.resolve("ssd")));
    // Room for half of the pages.
    LocalCacheConfig config = TestingSsd.config(16 * 2 * PAGE, PROBE_INTERVAL, watched);
    cache = new LocalCache(new LocalCacheConfig(true, false, List.of(watched), List.of(),
        List.of(), false,
        config.capacity(), 0, PAGE, 2, config.fillRate(), 10 * 2 * PAGE, config.memoryDirectory(), 2,
        config.healthLimits(), config.endurance(), true, config.slowReadNanos()), onOff, new AdmitAll(null, null), this,
        metrics, "dn-uuid", message -> { }, RuleKeeper.none(), KeptState.nowhere());
  }

  private TestingReplica replica(long id) throws IOException {
    return TestingReplica.create(root, new ReplicaSnapshot(
        new BlockKey("BP-1", id), stamps.incrementAndGet(), LENGTH), TestingReplica.CRC32C);
  }

  private void called() {
    calls.incrementAndGet();
    if (Thread.currentThread().getName().startsWith(CLIENT)) {
      offences.add(new AssertionError("called by " + Thread.currentThread().getName()));
    }
  }

  @After
  public void close() {
    cache.close();
    assertEquals(0, cache.memory().usedBytes());
    LocalCacheCluster.await("buffers", () -> cache.memory().gauges().bufferBytes() == 0);
  }

  @Override
  public boolean isCurrent(ReplicaSnapshot snapshot) {
    return replicas.get(snapshot.key().blockId()).snapshot().equals(snapshot);
  }

  @Override
  public String volumeOf(BlockKey key) {
    return "volume";
  }

  @Override
  public ReplicaIdentity identity(ReplicaSnapshot snapshot) {
    return TestingReplica.IDENTITY;
  }

  @Override
  public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
    TestingReplica replica = replicas.get(snapshot.key().blockId());
    if (!replica.snapshot().equals(snapshot)) {
      throw new IOException("no longer: " + snapshot);
    }
    return replica.open();
  }

  @Override
  public ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
      throws IOException {
    return open(snapshot);
  }

  private void read(TestingReplica replica, Random random) throws IOException {
    int from = random.nextInt(LENGTH) / 512 * 512;
    read(replica, from, Math.min(LENGTH, from + 512 * (1 + random.nextInt(LENGTH / 512))));
  }

  private void read(TestingReplica replica, int from, int to) throws IOException {
    ClientRead read = cache.beginRead("client", null, replica.snapshot(),
        replica.snapshot().generationStamp(), null, from, to - from);
    try {
      SnapshotReader reader = read.reader().orElse(null);
      if (reader != null) {
        reader.askedFor(from, to);
        reader.seek(from);
        byte[] sums = new byte[(to - from + 511) / 512 * 4];
        reader.readChecksums(sums, 0, sums.length);
        assertArrayEquals(
            Arrays.copyOfRange(replica.checksums(), from / 128, from / 128 + sums.length), sums);
        byte[] bytes = new byte[to - from];
        reader.readData(bytes, 0, bytes.length);
        assertArrayEquals(Arrays.copyOfRange(replica.data(), from, to), bytes);
      }
    } finally {
      read.reader().ifPresent(SnapshotReader::close);
      read.finish(to);
    }
  }

  private FutureTask<Void> client(int number, FutureTask<Void> task) {
    new Thread(task, CLIENT + number).start();
    return task;
  }

  private long reads() {
    return Stream.of(ReadOutcome.values()).mapToLong(metrics::reads).sum();
  }

  private FutureTask<Void> reader(int number, long seed, int reads) {
    Random random = new Random(seed + number);
    return client(number, new FutureTask<>(() -> {
      for (int i = 0; i < reads; i++) {
        TestingReplica replica = replicas.get((long) random.nextInt(BLOCKS));
        // Without this lock a read could need a replica that has changed, which is not kept here.
        synchronized (replica.snapshot().key().toString().intern()) {
          read(replicas.get(replica.snapshot().key().blockId()), random);
        }
        if (i % 20 == 0) {
          LocalCacheCluster.await("fills", () -> cache.fills().isIdle());
        }
      }
      return null;
    }));
  }

  /** Damages a page, changes a replica, switches off and on. */
  private void disturb(Random random) throws IOException {
    switch (random.nextInt(4)) {
      case 0 -> damage();
      case 1 -> change(random.nextInt(BLOCKS));
      case 2 -> {
        onOff.setOn(false, "test");
        onOff.setOn(true, "test");
      }
      default -> LocalCacheCluster.await("fills", () -> cache.fills().isIdle());
    }
  }

  /** Takes all page files away. */
  private void damage() throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve("ssd/dn-uuid/LOCAL"))) {
      for (Path page : files.filter(Files::isRegularFile).toList()) {
        Files.deleteIfExists(page);
      }
    } catch (UncheckedIOException e) {
      // A directory went while it was listed.
    }
  }

  private void change(long id) throws IOException {
    BlockKey key = new BlockKey("BP-1", id);
    synchronized (key.toString().intern()) {
      TestingReplica old = replicas.get(id);
      replicas.put(id, replica(id));
      cache.changes().replicaChanged(key, null, false, old::open, "changed by a test");
    }
  }

  private void readFirstBlock() throws Exception {
    client(0, new FutureTask<>(() -> {
      read(replicas.get(0L), 0, LENGTH);
      return null;
    })).get();
    LocalCacheCluster.await("fills", () -> cache.fills().isIdle());
  }

  /** What may have come about by chance does for certain: memory, damage, and a change. */
  private void meetTheRest() throws Exception {
    long memory = metrics.total(Event.BYTES_MEMORY);
    while (metrics.total(Event.BYTES_MEMORY) == memory) {
      readFirstBlock();
    }
    onOff.setOn(false, "test");
    onOff.setOn(true, "test");
    damage();
    readFirstBlock();
    change(0);
    LocalCacheCluster.await("removal", () -> cache.invalidations().isIdle());
    readFirstBlock();
  }

  private void assertNoOffence() {
    if (!offences.isEmpty()) {
      throw new AssertionError(offences.size() + " calls by readers", offences.peek());
    }
  }

  @Test
  public void everythingThatAReaderMeets_callsNoFileOfTheSsd() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    List<FutureTask<Void>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      readers.add(reader(i, seed, 1000));
    }
    Random random = new Random(~seed);
    while (readers.stream().anyMatch(reader -> !reader.isDone())) {
      disturb(random);
      // At the pace of the readers, or they would never find a page.
      long reads = reads();
      LocalCacheCluster.await("some reads", () -> reads() > reads + 20
          || readers.stream().allMatch(FutureTask::isDone));
    }
    for (FutureTask<Void> reader : readers) {
      reader.get();
    }
    meetTheRest();
    assertNoOffence();
    assertTrue("the SSD was used", calls.get() > 1000);
    assertTrue(metrics.reads(ReadOutcome.HIT) > 0);
    assertTrue(metrics.total(Event.BYTES_MEMORY) > 0);
    assertTrue(metrics.total(Event.BYTES_HIT) > metrics.total(Event.BYTES_MEMORY));
    assertTrue(metrics.total(Event.DAMAGED_PAGES) > 0);
    assertTrue(metrics.total(Event.EVICTIONS) > 0);
    assertTrue(metrics.total(Event.INVALIDATED_PAGES) > 0);
  }

  @Test
  public void watch_readerThatLooksAtAFile_isCaught() throws Exception {
    client(0, new FutureTask<>(() -> Files.exists(watched.resolve("file")), null)).get();
    assertEquals(1, offences.size());
  }
}
