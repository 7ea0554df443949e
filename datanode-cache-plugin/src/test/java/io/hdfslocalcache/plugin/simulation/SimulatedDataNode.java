/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.read.SnapshotReader;
import io.hdfslocalcache.plugin.read.WaitBudget;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/**
 * What the local cache sees of a DataNode: a replica map below a lock, replicas on a {@link
 * DataVolume}, and clients that compare every byte. Calls the local cache as the patched
 * classes of Hadoop do, and notes each file that it opens or touches while the lock is held.
 *
 * <p>Replicas are immutable: a change puts another one into the map, so that a reader in progress
 * gets what stock's open files would give it.
 */
final class SimulatedDataNode implements ReplicaAccess {

  static final String POOL = "BP-1-127.0.0.1-1";

  private static final DataChecksum CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);
  private static final int PAGE_AT_LEAST = 4096;
  /** Longest time of a packet from an SSD that is well. In a thousand lives without a bug, none took 3 ms. */
  private static final long HIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  /** How long after a fault an SSD may still have a queue. */
  private static final long QUEUE_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

  private final ReentrantLock dataset = new ReentrantLock();
  private final Map<BlockKey, Replica> replicas = new HashMap<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final Random content;
  private final World world;
  private final DataVolume volume;
  private final int mostBytes;
  private final int packet;
  private LocalCache cache;
  private LongSupplier wellNanos;
  /** Replicas deleted before readers could be given their files. */
  private final Set<ReplicaSnapshot> notKept = ConcurrentHashMap.newKeySet();
  /** Replicas whose files are deleted. */
  private final Set<ReplicaIdentity> deleted = ConcurrentHashMap.newKeySet();
  /** Blocks that were truncated, with the stamp of the last time. */
  private final Map<BlockKey, Long> truncations = new ConcurrentHashMap<>();
  private long nextStamp = 1001;
  /** Never decreases, not even by a rollback. */
  private long nextInode = 1;

  /** A replica as it is on the data volume, with the identity of its meta file. */
  record Replica(ReplicaSnapshot snapshot, byte[] bytes, byte[] sums, boolean isFinalized,
      ReplicaIdentity identity) {
  }

  /** All state that a rollback restores. */
  record State(Map<BlockKey, Replica> replicas, long nextStamp) {
  }

  /**
   * Has no replicas yet.
   *
   * @param world null: in real time
   * @param mostBytes of a replica
   * @param packet bytes of data that a client gets at a time
   */
  SimulatedDataNode(long seed, World world, int mostBytes, int packet) {
    this.content = new Random(seed);
    this.world = world;
    this.volume = new DataVolume(world);
    this.mostBytes = mostBytes;
    this.packet = packet;
  }

  static BlockKey key(int block) {
    return new BlockKey(POOL, block);
  }

  /** From now on, this local cache hears of changes. @param nanos how long its SSDs are well */
  void use(LocalCache opened, LongSupplier nanos) {
    cache = opened;
    wellNanos = nanos;
  }

  /** @return the disk with the replicas. */
  DataVolume volume() {
    return volume;
  }

  /** Sets a fault of the volume; a bad sector is one of this block. */
  void putFault(DataVolume.Fault fault, BlockKey key, Random random) {
    Replica replica = get(key);
    volume.put(fault, replica == null ? null : replica.identity(),
        replica == null ? 0 : random.nextInt(replica.bytes().length), random.nextBoolean());
  }

  /** @return what went wrong so far. */
  List<String> violations() {
    return List.copyOf(violations);
  }

  void violation(String what) {
    violations.add(what);
  }

  /** To be called for each file of an SSD that the local cache touches: any such call may hang. */
  void checkIsFreeToWait(String what) {
    checkNoLockIsHeld(what);
    if (volume.servesClient()) {
      violations.add(what + " by a thread that serves a client");
    }
  }

  private void checkNoLockIsHeld(String what) {
    if (dataset.isHeldByCurrentThread()) {
      violations.add(what + " under the lock of the dataset");
    }
  }

  /** @return the state now, for {@link #rollBack}. */
  State state() {
    dataset.lock();
    try {
      return new State(Map.copyOf(replicas), nextStamp);
    } finally {
      dataset.unlock();
    }
  }

  /** Gives the DataNode, which is down, an older state; later changes are lost. */
  void rollBack(State state) {
    truncations.clear();
    replicas.clear();
    replicas.putAll(state.replicas());
    // Replicas of the older state were kept.
    state.replicas().values().forEach(replica -> deleted.remove(replica.identity()));
    nextStamp = state.nextStamp();
  }

  private Replica get(BlockKey key) {
    dataset.lock();
    try {
      return replicas.get(key);
    } finally {
      dataset.unlock();
    }
  }

  /** A client writes a new block, if there is none. */
  void create(BlockKey key) {
    dataset.lock();
    try {
      if (replicas.get(key) == null) {
        // After a rollback, the same length belongs to the same id and stamp, but not the same bytes.
        byte[] bytes = new byte[1 + new Random(key.blockId() * 1_000_003 + nextStamp)
            .nextInt(mostBytes)];
        content.nextBytes(bytes);
        replicas.put(key, replica(key, bytes));
      }
    } finally {
      dataset.unlock();
    }
  }

  private Replica replica(BlockKey key, byte[] bytes) {
    byte[] sums = new byte[(bytes.length + 511) / 512 * CHECKSUM.getChecksumSize()];
    CHECKSUM.calculateChunkedSums(bytes, 0, bytes.length, sums, 0);
    return new Replica(new ReplicaSnapshot(key, nextStamp++, bytes.length), bytes, sums, true,
        new ReplicaIdentity(nextInode++, 1_000_000, bytes.length / 128));
  }

  /** A client begins to append, writes, and ends. @param meanwhile what happens in the middle */
  void append(BlockKey key, Random random, Runnable meanwhile) {
    Replica before;
    Replica after;
    dataset.lock();
    try {
      before = replicas.get(key);
      if (before == null || !before.isFinalized()) {
        return;
      }
      byte[] bytes = Arrays.copyOf(before.bytes(), before.bytes().length + 1 + random.nextInt(3000));
      byte[] added = new byte[bytes.length - before.bytes().length];
      content.nextBytes(added);
      System.arraycopy(added, 0, bytes, before.bytes().length, added.length);
      after = replica(key, bytes);
      changed(before, null, true, "append");
      replicas.put(key, new Replica(
          after.snapshot(), before.bytes(), before.sums(), false, after.identity()));
    } finally {
      dataset.unlock();
    }
    meanwhile.run();
    dataset.lock();
    try {
      changed(before, after.snapshot(), false, "finalized");
      replicas.put(key, after);
    } finally {
      dataset.unlock();
    }
  }

  /** A client cuts a block off. */
  void truncate(BlockKey key, Random random) {
    dataset.lock();
    try {
      Replica before = replicas.get(key);
      if (before == null || !before.isFinalized() || before.bytes().length < 2) {
        return;
      }
      byte[] bytes = Arrays.copyOf(before.bytes(), 1 + random.nextInt(before.bytes().length - 1));
      Replica after = replica(key, bytes);
      truncations.put(key, after.snapshot().generationStamp());
      changed(before, null, false, "truncate");
      replicas.put(key, after);
    } finally {
      dataset.unlock();
    }
  }

  /** The NameNode has the replica deleted. */
  void delete(BlockKey key) {
    Replica before;
    dataset.lock();
    try {
      before = replicas.remove(key);
      if (before == null) {
        return;
      }
      changed(before, null, false, "delete");
    } finally {
      dataset.unlock();
    }
    // In the thread that deletes the files.
    cache.changes().filesLeave(POOL, key.blockId());
    deleted.add(before.identity());
  }

  private void changed(Replica before, ReplicaSnapshot after, boolean isAppend, String why) {
    cache.changes().replicaChanged(before.snapshot().key(), after, isAppend,
        new Moved(before, why), why);
  }

  /** Opens a replica as it was, or as a change has left it. */
  private final class Moved implements ReplicaFiles.Opener {
    private final Replica before;
    private final String why;

    Moved(Replica before, String why) {
      this.before = before;
      this.why = why;
    }

    @Override
    public boolean isLast() {
      return why.equals("delete");
    }

    @Override
    public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
      checkNoLockIsHeld("open of a replica for readers (" + why + ")");
      if (truncations.getOrDefault(snapshot.key(), 0L) > snapshot.generationStamp()) {
        throw new EOFException("truncated: " + snapshot);
      }
      try {
        volume.open();
        return files(before);
      } catch (IOException e) {
        notKept.add(snapshot);
        throw e;
      }
    }
  }

  /**
   * A client reads a part of a block, as the patched BlockSender serves it, and compares it.
   *
   * @param pause what happens between two packets
   * @param budgetNanos how much longer than without a local cache it may take
   * @return bytes that came from pages
   * @throws IOException if a read fails that stock would have served
   */
  long read(BlockKey key, Random random, long budgetNanos, Runnable pause) throws IOException {
    Replica replica = get(key);
    if (replica == null) {
      return 0;
    }
    // Stock opens the files when the read begins, and meets their end if they are truncated later.
    Long truncated = truncations.get(key);
    byte[] bytes = replica.bytes();
    int from = random.nextInt(bytes.length);
    int to = random.nextInt(3) == 0 ? bytes.length
        : Math.min(bytes.length, from + 1 + random.nextInt(9000));
    ReplicaSnapshot snapshot = new ReplicaSnapshot(
        key, replica.snapshot().generationStamp(), bytes.length);
    int position = from / CHECKSUM.getBytesPerChecksum() * CHECKSUM.getBytesPerChecksum();
    DataVolume.Asked asked = volume.begin(replica.identity(), position, Math.min(bytes.length,
        (to + CHECKSUM.getBytesPerChecksum() - 1) / CHECKSUM.getBytesPerChecksum()
            * CHECKSUM.getBytesPerChecksum()));
    long began = TimeAndThreads.get().nanoTime();
    long stalled = 0;
    ClientRead read = cache.read("client", "user", snapshot, snapshot.generationStamp(),
        replica.isFinalized() ? null : ReadOutcome.BYPASS_NOT_FINALIZED, from, to - from);
    SnapshotReader reader = read.reader().orElse(null);
    int end = to;
    try {
      if (reader == null) {
        return 0;
      }
      // A reader stays with its block, also when that is killed and another one takes its place.
      CachedBlock block = cache.index().get(key);
      reader.seek(position);
      while (position < end) {
        int n = Math.min(end - position, packet);
        boolean isHit = isHit(block, position, position + n);
        long packetBegan = TimeAndThreads.get().nanoTime();
        long askedBefore = asked.nanos();
        byte[] sums = new byte[(n + 511) / 512 * CHECKSUM.getChecksumSize()];
        reader.readChecksums(sums, 0, sums.length);
        byte[] data = new byte[n];
        reader.readData(data, 0, n);
        compare(replica, position, data);
        if (isHit && isHit(block, position, position + n)) {
          checkHit(block, position, TimeAndThreads.get().nanoTime() - packetBegan,
              asked.nanos() - askedBefore);
        }
        position += n;
        if (position < end && random.nextInt(8) == 0) {
          long stall = TimeAndThreads.get().nanoTime();
          pause.run();
          stalled += TimeAndThreads.get().nanoTime() - stall;
        }
        if (random.nextInt(40) == 0) {
          // The client has what it wants, or is gone.
          end = position;
        }
      }
      checkTook(TimeAndThreads.get().nanoTime() - began - stalled - asked.nanos(), budgetNanos,
          position - from);
      return reader.bytesFromPages();
    } catch (IOException e) {
      if (Objects.equals(truncated, truncations.get(key)) && !asked.failed()
          && !notKept.contains(snapshot)) {
        throw e;
      }
      return 0;
    } finally {
      read.finish(Math.min(position, to));
      if (reader != null) {
        reader.close();
      }
      volume.endRead();
    }
  }

  /** Only in a world where computing takes no time. Stock waits for the volume, too. */
  private void checkTook(long nanos, long budgetNanos, long bytes) {
    if (world != null && nanos > WaitBudget.longest(budgetNanos, bytes)
        + volume.mostNanos(2 + bytes / PAGE_AT_LEAST)) {
      violations.add("a read of " + bytes + " bytes took " + nanos / 1_000_000
          + " ms more than the data volume");
    }
  }

  /** @return whether the block lives, and has these bytes on an SSD that may be read. */
  private boolean isHit(CachedBlock block, int from, int to) {
    if (world == null || block == null || block != cache.index().find(block.snapshot())
        || !block.isProven() || SsdDirectory.of(block) == null
        || !SsdDirectory.of(block).mayRead()) {
      return false;
    }
    PageLayout layout = block.layout();
    for (int page = layout.pageOf(from); page <= layout.pageOf(to - 1); page++) {
      int start = (int) layout.start(page);
      if (!block.has(page, Math.max(0, from - start),
          Math.min(layout.dataLength(page), to - start))) {
        return false;
      }
    }
    return true;
  }

  /**
   * A hit waits for its SSD, and never for the data volume.
   *
   * @param nanos how long the packet took; the SSD must have been well all the time
   * @param askedNanos how much of it stock would have waited for the data volume
   */
  private void checkHit(CachedBlock block, int from, long nanos, long askedNanos) {
    long waited = nanos - askedNanos;
    if (waited > HIT_NANOS && wellNanos.getAsLong() > nanos + QUEUE_NANOS) {
      violations.add("a hit at " + from + " of " + block.snapshot() + " took " + waited / 1_000_000
          + " ms beside an SSD that is well");
    }
  }

  private void compare(Replica replica, int position, byte[] data) {
    byte[] expected = Arrays.copyOfRange(replica.bytes(), position, position + data.length);
    if (!Arrays.equals(expected, data)) {
      violations.add("wrong bytes at " + position + " of " + replica.snapshot());
    }
  }

  @Override
  public boolean isCurrent(ReplicaSnapshot snapshot) {
    Replica replica = get(snapshot.key());
    return replica != null && replica.isFinalized() && replica.snapshot().equals(snapshot);
  }

  @Override
  public ReplicaSnapshot finalized(BlockKey key) {
    Replica replica = get(key);
    return replica != null && replica.isFinalized() ? replica.snapshot() : null;
  }

  @Override
  public String volumeOf(BlockKey key) {
    return "volume";
  }

  @Override
  public ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException {
    checkNoLockIsHeld("open of a replica");
    Replica replica = get(snapshot.key());
    if (replica == null || !replica.isFinalized() || !replica.snapshot().equals(snapshot)) {
      throw new FileNotFoundException("no longer: " + snapshot);
    }
    volume.open();
    return files(replica);
  }

  private Files files(Replica replica) throws IOException {
    if (deleted.contains(replica.identity())) {
      throw new FileNotFoundException("deleted: " + replica.snapshot());
    }
    return new Files(replica, volume);
  }

  @Override
  public ReplicaIdentity identity(ReplicaSnapshot snapshot) throws IOException {
    checkNoLockIsHeld("look at a meta file");
    Replica replica = get(snapshot.key());
    if (replica == null) {
      throw new FileNotFoundException("no longer: " + snapshot);
    }
    volume.open();
    return replica.identity();
  }

  @Override
  public ReplicaFiles openForClient(ReplicaSnapshot snapshot, boolean withChecksums)
      throws IOException {
    return open(snapshot);
  }

  private record Files(Replica replica, DataVolume volume) implements ReplicaFiles {

    @Override
    public ReplicaIdentity identity() {
      return replica.identity();
    }

    @Override
    public DataChecksum checksum() {
      return CHECKSUM;
    }

    @Override
    public void readData(long position, ByteBuffer buffer) throws IOException {
      volume.read(replica.identity(), position, position + buffer.remaining());
      buffer.put(replica.bytes(), (int) position, buffer.remaining());
    }

    @Override
    public void readChecksums(long position, ByteBuffer buffer) {
      buffer.put(replica.sums(), (int) position, buffer.remaining());
    }

    @Override
    public void transferTo(SocketOutputStream out, long position, int length,
        LongWritable waitTime, LongWritable transferTime) {
      throw new UnsupportedOperationException("no socket here");
    }

    @Override
    public boolean retain() {
      return true;
    }

    @Override
    public void close() {
    }
  }
}
