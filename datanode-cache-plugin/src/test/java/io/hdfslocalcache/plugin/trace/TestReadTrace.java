/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipException;

import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.TraceConfig;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestReadTrace {

  private static final String POOL = "BP-1-10.0.0.1-2";
  private static final long LARGE = 1L << 30;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void reads_ofEveryKind_comeBackAsTheyWere() throws IOException {
    List<TracedRead> reads = randomReads(60_000);
    trace(config(LARGE), reads);
    assertEquals(reads, TracedReads.in(files()));
  }

  @Test
  public void bytes_ofAnOrdinaryTrace_areFew() throws IOException {
    int n = 50_000;
    trace(config(LARGE), ordinaryReads(n));
    long bytes = size(files());
    System.out.println("bytes of each read: " + (double) bytes / n);
    assertTrue(bytes + " bytes", bytes < 30L * n);
  }

  @Test
  public void file_cutAnywhere_isGoodUpToThere() throws IOException {
    List<TracedRead> reads = randomReads(20_000);
    trace(config(LARGE), reads);
    byte[] whole = Files.readAllBytes(files().get(0));
    Random random = random();
    for (int i = 0; i < 20; i++) {
      byte[] cut = Arrays.copyOf(whole, whole.length / 2 + random.nextInt(whole.length / 2));
      List<TracedRead> got = TracedReads.in(cut);
      assertEquals(reads.subList(0, got.size()), got);
      assertTrue(got.size() + " reads", got.size() > reads.size() / 3);
    }
  }

  @Test
  public void file_withAFlippedBit_isNotTakenForGood() throws IOException {
    List<TracedRead> reads = randomReads(5_000);
    trace(config(LARGE), reads);
    byte[] bytes = Files.readAllBytes(files().get(0));
    Random random = random();
    for (int i = 0; i < 50; i++) {
      byte[] damaged = bytes.clone();
      damaged[10 + random.nextInt(bytes.length - 10)] ^= 1 << random.nextInt(8);
      try {
        List<TracedRead> got = TracedReads.in(damaged);
        assertEquals(reads.subList(0, got.size()), got);
      } catch (ZipException e) {
        // It is known to be damaged.
      }
    }
  }

  /** A file left by a DataNode that was killed. */
  @Test
  public void file_thatIsStillWritten_hasWhatWasWritten() throws IOException {
    List<TracedRead> reads = randomReads(100);
    StringBuilder lines = new StringBuilder();
    reads.forEach(read -> read.appendTo(lines));
    try (TraceFiles open = new TraceFiles(config(LARGE), "datanode-9867")) {
      open.write(lines);
      assertEquals(reads, TracedReads.in(files()));
      assertEquals(size(files()), open.totalBytes());
    }
  }

  @Test
  public void files_beyondTheirBound_giveWayToNewerOnes() throws IOException {
    long max = 1 << 20;
    List<TracedRead> reads = randomReads(200_000);
    trace(config(max), reads);
    List<Path> left = files();
    assertTrue(left.size() > 2);
    assertTrue(size(left) + " bytes", size(left) <= max && size(left) > max / 2);
    List<TracedRead> got = TracedReads.in(left);
    assertTrue(got.size() < reads.size());
    assertEquals(reads.subList(reads.size() - got.size(), reads.size()), got);
  }

  @Test
  public void filesOfAnotherDataNode_areNotCounted() throws IOException {
    // Of other ports, also of one that begins with the same digits.
    for (String name : new String[] {"datanode-1-x.trace", "datanode-98670-x.csv.gz"}) {
      Path other = folder.getRoot().toPath().resolve(name);
      Files.write(other, new byte[2 << 20]);
      trace(config(1 << 20), randomReads(100));
      assertTrue(name, Files.exists(other));
    }
  }

  @Test
  public void filesOfBefore_countAndGiveWay() throws IOException {
    for (String suffix : new String[] {".csv.gz", ".trace"}) {
      Path before = folder.getRoot().toPath().resolve("datanode-9867-20000101T000000000-0000" + suffix);
      Files.write(before, new byte[2 << 20]);
      trace(config(1 << 20), randomReads(100));
      assertFalse(Files.exists(before));
    }
    assertEquals(2, files().size());
  }

  @Test
  public void files_areTheUsersOwn() throws IOException {
    Path directory = folder.getRoot().toPath().resolve("new");
    trace(new TraceConfig(directory, LARGE), randomReads(10));
    assertEquals("rwx------", PosixFilePermissions.toString(
        Files.getPosixFilePermissions(directory)));
    try (Stream<Path> all = Files.list(directory)) {
      assertEquals("rw-------", PosixFilePermissions.toString(
          Files.getPosixFilePermissions(all.findFirst().get())));
    }
  }

  @Test
  public void anonymous_keepsWhoIsWhoAndNoName() throws IOException {
    List<TracedRead> reads = ordinaryReads(5_000);
    trace(config(LARGE), true, reads);
    List<TracedRead> got = TracedReads.in(files());
    assertEquals(reads.size(), got.size());
    for (int i = 1; i < got.size(); i++) {
      assertEquals(reads.get(i).blockId() == reads.get(0).blockId(),
          got.get(i).blockId() == got.get(0).blockId());
      assertEquals(reads.get(i).reader().equals(reads.get(0).reader()),
          got.get(i).reader().equals(got.get(0).reader()));
      assertEquals(reads.get(i).offset(), got.get(i).offset());
      assertNotEquals(reads.get(i).blockId(), got.get(i).blockId());
      assertFalse(got.get(i).reader().contains("10.1."));
      assertFalse(got.get(i).blockPoolId().contains("10.0.0.1"));
    }
  }

  @Test
  public void sample_isOfBlocksAndOfItsSize() {
    int blocks = 100_000;
    Sample sample = new Sample(0.1);
    Set<Long> in = new TreeSet<>();
    for (long id = 1 << 30; id < (1 << 30) + blocks; id++) {
      if (sample.contains(new BlockKey(POOL, id))) {
        in.add(id);
      }
    }
    assertEquals(blocks / 10, in.size(), blocks / 100);
    assertTrue(in.stream().allMatch(id -> new Sample(0.1).contains(new BlockKey(POOL, id))));
    assertTrue("a larger sample has the smaller one in it",
        in.stream().allMatch(id -> new Sample(0.2).contains(new BlockKey(POOL, id))));
  }

  @Test
  public void directory_thatCannotBeMade_endsTheTraceAndSaysWhy() throws IOException {
    Path file = folder.newFile().toPath();
    try (ReadTrace trace = new ReadTrace(new TraceConfig(file, LARGE),
        "datanode-9867", new LocalCacheMetrics())) {
      // Often, because the reason must be told together with the end, not a moment later.
      for (int i = 0; i < 200; i++) {
        trace.start(1, false);
        ReadTrace.Status status = trace.status();
        while (status.on()) {
          status = trace.status();
        }
        assertTrue("start " + i + ": " + status, status.error().contains(file.toString()));
      }
      trace.add(randomReads(1).get(0));
      assertEquals(0, trace.status().reads());
    }
  }

  @Test
  public void stopped_tracesNothingAndCanBeStartedAgain() throws IOException {
    List<TracedRead> reads = randomReads(30);
    try (ReadTrace trace = new ReadTrace(config(LARGE), "datanode-9867", new LocalCacheMetrics())) {
      BlockKey block = new BlockKey(POOL, 1);
      assertFalse(trace.wants(block));
      trace.start(1, false);
      assertTrue(trace.wants(block));
      reads.subList(0, 10).forEach(trace::add);
      trace.stop();
      // The next file has the time in its name.
      long stopped = System.currentTimeMillis();
      LocalCacheCluster.await("another name", () -> System.currentTimeMillis() > stopped);
      assertFalse(trace.wants(block));
      reads.subList(10, 20).forEach(trace::add);
      trace.start(1, false);
      reads.subList(20, 30).forEach(trace::add);
    }
    List<TracedRead> expected = new ArrayList<>(reads.subList(0, 10));
    expected.addAll(reads.subList(20, 30));
    assertEquals(expected, TracedReads.in(files()));
  }

  @Test
  public void started_withASample_saysSoAndTakesNoOtherMeanwhile() {
    try (ReadTrace trace = new ReadTrace(config(LARGE), "datanode-9867", new LocalCacheMetrics())) {
      trace.start(0.5, true);
      trace.start(0.5, true);
      assertEquals(0.5, trace.status().sample(), 0);
      assertTrue(trace.status().anonymous());
      assertThrows(IllegalArgumentException.class, () -> trace.start(1, true));
      assertThrows(IllegalArgumentException.class, () -> trace.start(0.5, false));
      trace.stop();
      for (double share : new double[] {0, -1, 1.1, Double.NaN}) {
        assertThrows(IllegalArgumentException.class, () -> trace.start(share, false));
      }
      assertFalse(trace.status().on());
      trace.start(1, false);
      assertFalse(trace.status().anonymous());
    }
  }

  private TraceConfig config(long maxBytes) {
    return new TraceConfig(folder.getRoot().toPath(), maxBytes);
  }

  private static void trace(TraceConfig config, List<TracedRead> reads) {
    trace(config, false, reads);
  }

  /** Waits where production drops: here every read counts. */
  private static void trace(TraceConfig config, boolean anonymous, List<TracedRead> reads) {
    try (TraceWriter writer =
        new TraceWriter(config, "datanode-9867", new Sample(1), anonymous, n -> { }, (w, e) -> {
          throw new AssertionError(e);
        })) {
      for (TracedRead read : reads) {
        while (!writer.offer(read)) {
          Thread.onSpinWait();
        }
      }
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder.getRoot().toPath())) {
      return all.filter(file -> file.getFileName().toString().startsWith("datanode-9867-"))
          .sorted().toList();
    }
  }

  private static long size(List<Path> files) throws IOException {
    long size = 0;
    for (Path file : files) {
      size += Files.size(file);
    }
    return size;
  }

  private static Random random() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    return new Random(seed);
  }

  /** Numbers of every size, names of every kind. */
  private static List<TracedRead> randomReads(int n) {
    Random random = random();
    ReadOutcome[] outcomes = ReadOutcome.values();
    List<TracedRead> reads = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      reads.add(new TracedRead(random.nextLong() >> random.nextInt(40), number(random),
          POOL + random.nextInt(3), random.nextLong() >> random.nextInt(60), number(random),
          number(random), number(random), number(random), "10.1.2." + random.nextInt(500),
          outcomes[random.nextInt(outcomes.length)]));
    }
    return reads;
  }

  private static long number(Random random) {
    return random.nextLong() >>> 1 + random.nextInt(62);
  }

  /** As on a busy DataNode: a thousand reads a second of some thousand blocks by 200 readers. */
  private static List<TracedRead> ordinaryReads(int n) {
    Random random = random();
    List<TracedRead> reads = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      long block = (long) (Math.pow(random.nextDouble(), 4) * 20_000);
      reads.add(new TracedRead(1_790_000_000_000L + i, 100 + random.nextInt(20_000), POOL,
          1_073_741_824 + block, 1000 + block, 128 << 20, random.nextInt(128 << 20),
          (long) Math.exp(6 + 8 * random.nextDouble()), "10.1.0." + random.nextInt(200),
          random.nextInt(10) < 7 ? ReadOutcome.HIT : ReadOutcome.MISS_NOT_ADMITTED));
    }
    return reads;
  }
}
