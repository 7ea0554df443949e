/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.config.TraceConfig;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.trace.ReadTrace;
import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.replay.trace.Trace.Access;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Traces that the local cache has written. */
public class TestNativeTrace {

  private static final int READS = 20_000;
  private static final int FILE = 10_000;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void load_nativeTrace_hasEveryColumn() throws Exception {
    TraceLoader.Loaded loaded = load(write(READS));
    Trace trace = loaded.trace();
    assertEquals(READS, trace.size());
    assertEquals(0, loaded.report().bad);
    assertTrue(trace.hasReaders());
    int i = 4321;
    TracedRead read = read(i);
    Access access = trace.accesses().get(i);
    Replica replica = trace.replica(access);
    assertEquals(read.blockPoolId(), replica.blockPool());
    assertEquals(read.blockId(), replica.blockId());
    assertEquals(read.generationStamp(), replica.generationStamp());
    assertEquals(read.replicaBytes(), trace.replicaBytes()[access.replica()]);
    assertEquals(read.startMillis(), access.timeMillis());
    assertEquals(read.durationMicros(), access.durationMicros());
    assertEquals(read.offset(), access.offset());
    assertEquals(read.length(), access.length());
    assertEquals(read.reader(), trace.readers().get(access.reader()));
    assertEquals(read.outcome(), access.outcome());
  }

  @Test
  public void load_csvOfANativeTrace_isTheSameTrace() throws Exception {
    String csv = csv(load(write(READS)).trace());
    Path file = Files.writeString(folder.newFile().toPath(), csv);
    assertEquals(csv, csv(load(List.of(file)).trace()));
  }

  @Test
  public void load_csvWithAnOutcomeThatIsNone_isABadLine() throws Exception {
    Path file = Files.writeString(folder.newFile().toPath(), """
        time_ms,block_id,offset,length,outcome
        1,2,3,4,hit
        2,2,3,4,hitt
        """);
    TraceLoader.Loaded loaded = load(List.of(file));
    assertEquals(1, loaded.trace().size());
    assertTrue(loaded.report().messages.get(0).endsWith(":3: no such outcome: hitt"));
  }

  @Test
  public void load_traceCutOff_keepsWhatIsWholeAndTellsIt() throws Exception {
    byte[] whole = Files.readAllBytes(write(READS).get(0));
    Random random = new Random(7);
    for (int i = 0; i < 10; i++) {
      int length = whole.length / 2 + random.nextInt(whole.length / 2 - 1);
      Path cut = Files.write(folder.newFile().toPath(), Arrays.copyOf(whole, length));
      TraceLoader.Loaded loaded = load(List.of(cut));
      int n = loaded.trace().size();
      assertTrue(n + " reads", n > FILE / 3 && n <= FILE);
      assertEquals(1, loaded.report().cutOff);
      assertEquals("the line that was cut is not tried", 0, loaded.report().bad);
      Access last = loaded.trace().accesses().get(n - 1);
      assertEquals(read(n - 1).startMillis(), last.timeMillis());
      assertEquals(read(n - 1).outcome(), last.outcome());
    }
  }

  @Test
  public void stat_nativeTrace_tellsWhatBecameOfTheReads() throws Exception {
    Map<String, Double> outcomes = TraceStat.of(load(write(READS)).trace(), 10).outcomes();
    assertEquals(0.75, outcomes.get("hit"), 1e-9);
    assertEquals(0.25, outcomes.get("miss_not_admitted"), 1e-9);
    assertEquals(2, outcomes.size());
  }

  private static TracedRead read(int i) {
    return new TracedRead(1_790_000_000_000L + i, i % 1000, "BP-1-10.0.0.1-2",
        1_073_741_824L + i * 37L % 1000, 1001, 128 << 20, i * 4096L % (64 << 20), 1000 + i,
        "10.0.1." + i % 50, i % 4 == 0 ? ReadOutcome.MISS_NOT_ADMITTED : ReadOutcome.HIT);
  }

  private List<Path> write(int reads) throws IOException {
    Path directory = folder.newFolder().toPath();
    try (ReadTrace trace = new ReadTrace(
        new TraceConfig(directory, 1 << 30), "datanode-9867", new LocalCacheMetrics())) {
      trace.start(1, false);
      for (int i = 0; i < reads; i++) {
        trace.add(read(i));
        if (i % FILE == FILE - 1) {
          trace.stop();
          trace.start(1, false);
        }
      }
      assertEquals("as many at a time as the queue holds", 0, trace.status().dropped());
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  private static TraceLoader.Loaded load(List<Path> files) throws IOException {
    return TraceLoader.load(files, ZoneOffset.UTC, 512);
  }

  private static String csv(Trace trace) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Csv.write(trace, out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
