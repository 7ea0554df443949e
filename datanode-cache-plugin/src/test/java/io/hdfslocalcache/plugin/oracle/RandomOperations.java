/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.oracle;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.RawReader;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Does random things to two clusters, and knows what each file must hold. */
final class RandomOperations {

  private static final int MAX_FILES = 12;
  private static final int MAX_LENGTH = 200_000;

  private enum Operation {
    READ(100), PREAD(200), SEEK_AND_READ(60), CREATE(40), APPEND(40), APPEND_AND_READ(15),
    ABANDON_APPEND(4), TRUNCATE(20), DELETE(15), TOGGLE(5), RESTART(1), CHANGE_WHILE_READ(30),
    MOVE(15);

    private final int weight;

    Operation(int weight) {
      this.weight = weight;
    }
  }

  /** Reads of a file's first block on several clusters, which have begun before something changes. */
  private static final class ReadsInProgress implements Closeable {

    private final List<RawReader> readers = new ArrayList<>();
    private final byte[] expected;

    /** Begins. @param file what the file contains now */
    ReadsInProgress(List<LocalCacheCluster> clusters, String name, byte[] file) throws IOException {
      int length = (int) clusters.get(0).block(name).getNumBytes();
      expected = Arrays.copyOf(file, length);
      for (LocalCacheCluster cluster : clusters) {
        ExtendedBlock block = cluster.block(name);
        readers.add(new RawReader(cluster.dataNode(0), block, "oracle", 0, length));
      }
    }

    /** Reads to the end, and compares. */
    void end() throws IOException {
      for (RawReader reader : readers) {
        assertArrayEquals("what an older reader sees", expected, reader.readToEnd().bytes());
      }
    }

    @Override
    public void close() throws IOException {
      for (RawReader reader : readers) {
        reader.close();
      }
    }
  }

  /** A DataNode's counters, summed over its restarts. */
  private static final class Totals {

    private final Map<ReadOutcome, Long> reads = new EnumMap<>(ReadOutcome.class);
    private long evictions;
    private long invalidations;

    /** Adds its counters before a restart resets them. */
    void add(LocalCacheMetrics metrics) {
      assertEquals("errors", 0, metrics.errors());
      for (ReadOutcome outcome : ReadOutcome.values()) {
        reads.merge(outcome, metrics.reads(outcome), Long::sum);
      }
      evictions += metrics.total(Event.EVICTIONS);
      invalidations += metrics.total(Event.INVALIDATED_PAGES);
    }

    long hits() {
      return reads.getOrDefault(ReadOutcome.HIT, 0L);
    }

    @Override
    public String toString() {
      return "reads " + reads + ", evictions " + evictions + ", invalidated pages " + invalidations;
    }
  }

  private final Random random;
  private final LocalCacheCluster cached;
  private final List<LocalCacheCluster> clusters;
  private final Map<String, byte[]> files = new TreeMap<>();
  private final Map<Operation, Integer> done = new EnumMap<>(Operation.class);
  private final Totals totals = new Totals();
  private int step;

  RandomOperations(long seed, LocalCacheCluster cached, LocalCacheCluster stock) {
    this.random = new Random(seed);
    this.cached = cached;
    this.clusters = List.of(cached, stock);
  }

  void step(int number) throws Exception {
    step = number;
    Operation operation = files.size() < 3 ? Operation.CREATE : choose();
    try {
      run(operation);
    } catch (AssertionError | Exception e) {
      throw new AssertionError("step " + number + ", " + operation, e);
    }
    done.merge(operation, 1, Integer::sum);
  }

  private Operation choose() {
    int sum = Arrays.stream(Operation.values()).mapToInt(o -> o.weight).sum();
    int ticket = random.nextInt(sum);
    for (Operation operation : Operation.values()) {
      ticket -= operation.weight;
      if (ticket < 0) {
        return operation;
      }
    }
    throw new AssertionError();
  }

  private void run(Operation operation) throws Exception {
    switch (operation) {
      case READ -> readWhole(anyFile());
      case PREAD -> pread(anyFile());
      case SEEK_AND_READ -> seekAndRead(anyFile());
      case CREATE -> create();
      case APPEND -> append(anyFile(), false);
      case APPEND_AND_READ -> append(anyFile(), true);
      case ABANDON_APPEND -> abandonAppend(anyFile());
      case TRUNCATE -> truncate(anyFile());
      case DELETE -> delete(anyFile());
      case TOGGLE -> toggle();
      case RESTART -> restart();
      case CHANGE_WHILE_READ -> changeWhileRead(anyFile());
      case MOVE -> move(anyFile());
      default -> throw new AssertionError(operation);
    }
  }

  /** A few files get most of the operations, as in practice. */
  private String anyFile() {
    List<String> names = new ArrayList<>(files.keySet());
    return names.get((int) (names.size() * random.nextDouble() * random.nextDouble()));
  }

  private byte[] randomBytes(int max) {
    int[] edges = {1, 511, 512, 513, 12_288, 65_535, 65_536, 65_537};
    int length = random.nextInt(4) == 0
        ? edges[random.nextInt(edges.length)] : 1 + random.nextInt(max);
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private void create() throws IOException {
    String name = "/file" + random.nextInt(MAX_FILES);
    byte[] bytes = randomBytes(MAX_LENGTH);
    for (LocalCacheCluster cluster : clusters) {
      try (FSDataOutputStream out = cluster.fs().create(new Path(name), true)) {
        out.write(bytes);
      }
    }
    files.put(name, bytes);
  }

  private static byte[] concat(byte[] before, byte[] added) {
    byte[] after = Arrays.copyOf(before, before.length + added.length);
    System.arraycopy(added, 0, after, before.length, added.length);
    return after;
  }

  private void append(String name, boolean readBeforeClose) throws IOException {
    byte[] added = randomBytes(20_000);
    byte[] before = files.get(name);
    byte[] after = concat(before, added);
    files.put(name, after);
    for (LocalCacheCluster cluster : clusters) {
      try (FSDataInputStream older = cluster.fs().open(new Path(name));
          FSDataOutputStream out = cluster.fs().append(new Path(name))) {
        out.write(added);
        if (readBeforeClose) {
          out.hflush();
          byte[] bytes = new byte[before.length];
          older.readFully(0, bytes);
          assertArrayEquals("what an older reader sees of " + name, before, bytes);
          assertArrayEquals("what a newer reader sees of " + name, after, cluster.read(name));
        }
      }
    }
  }

  /** A client that appends disappears; the NameNode recovers its lease and the block. */
  private void abandonAppend(String name) throws Exception {
    byte[] added = randomBytes(20_000);
    for (LocalCacheCluster cluster : clusters) {
      cluster.abandonAppend(name, added);
    }
    files.put(name, concat(files.get(name), added));
  }

  private void truncate(String name) throws Exception {
    byte[] before = files.get(name);
    int length = random.nextInt(before.length + 1);
    for (LocalCacheCluster cluster : clusters) {
      DistributedFileSystem fs = cluster.fs();
      if (!fs.truncate(new Path(name), length)) {
        LocalCacheCluster.await("truncation of " + name, () -> fs.isFileClosed(new Path(name)));
      }
    }
    files.put(name, Arrays.copyOf(before, length));
    if (length == 0) {
      delete(name);
    }
  }

  private void delete(String name) throws IOException {
    files.remove(name);
    for (LocalCacheCluster cluster : clusters) {
      cluster.fs().delete(new Path(name), false);
    }
  }

  /** The replicas go to other volumes, some of which are of another storage type. */
  private void move(String name) throws IOException {
    for (LocalCacheCluster cluster : clusters) {
      for (LocatedBlock block : cluster.blocks(name)) {
        cluster.move(0, block.getBlock());
      }
    }
  }

  private void readWhole(String name) throws IOException {
    for (LocalCacheCluster cluster : clusters) {
      assertArrayEquals(name, files.get(name), cluster.read(name));
    }
  }

  private void pread(String name) throws IOException {
    byte[] bytes = files.get(name);
    int offset = random.nextInt(bytes.length);
    int length = 1 + random.nextInt(Math.min(bytes.length - offset, 40_000));
    for (LocalCacheCluster cluster : clusters) {
      assertArrayEquals(name + " at " + offset, Arrays.copyOfRange(bytes, offset, offset + length),
          cluster.pread(name, offset, length));
    }
  }

  private void seekAndRead(String name) throws IOException {
    byte[] bytes = files.get(name);
    int[] offsets = random.ints(4, 0, bytes.length).toArray();
    for (LocalCacheCluster cluster : clusters) {
      try (FSDataInputStream in = cluster.fs().open(new Path(name))) {
        for (int offset : offsets) {
          int length = Math.min(bytes.length - offset, 9_000);
          byte[] part = new byte[length];
          in.seek(offset);
          in.readFully(part);
          assertArrayEquals(name + " at " + offset,
              Arrays.copyOfRange(bytes, offset, offset + length), part);
        }
      }
    }
  }

  private void toggle() {
    // Rarely off, or most of the steps would test nothing.
    boolean on = !cached.interceptor(0).onOff().isOn() || random.nextInt(4) != 0;
    cached.interceptor(0).onOff().setOn(on, "step " + step);
  }

  /** A client reads the first block while it changes, and disconnects or continues. */
  private void changeWhileRead(String name) throws IOException {
    try (ReadsInProgress reads = new ReadsInProgress(clusters, name, files.get(name))) {
      switch (random.nextInt(4)) {
        case 0 -> append(name, false);
        case 1 -> delete(name);
        case 2 -> move(name);
        default -> toggle();
      }
      if (random.nextBoolean()) {
        reads.end();
      }
    }
  }

  private void restart() throws Exception {
    totals.add(cached.metrics(0));
    for (LocalCacheCluster cluster : clusters) {
      cluster.startUnrestored(cluster.mini().stopDataNode(0));
    }
  }

  /** Compares everything once more, and checks that cached blocks still exist. */
  void finish() throws Exception {
    cached.interceptor(0).onOff().setOn(true, "end");
    for (String name : files.keySet()) {
      readWhole(name);
      readWhole(name);
    }
    cached.settle();
    awaitFilesOfPages();
    totals.add(cached.metrics(0));
    for (String name : List.copyOf(files.keySet())) {
      delete(name);
    }
    LocalCacheCluster.await("removal of all pages", () -> cached.cache(0).index().pages() == 0);
    cached.settle();
    awaitFilesOfPages();
    assertEquals("blocks of deleted files", 0, cached.cache(0).index().blocks());
  }

  /** An evicted page leaves the index first and the SSD a moment later. */
  private void awaitFilesOfPages() {
    LocalCacheCluster.await("as many pages in the index as on the SSDs",
        () -> cached.cache(0).index().pages() == cached.pageFiles("").size());
  }

  long hits() {
    return totals.hits();
  }

  String summary() {
    return done + ", " + totals;
  }
}
