/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.stream.IntStream;

import io.hdfslocalcache.replay.benchmark.Mapping.Places;
import io.hdfslocalcache.replay.benchmark.ReplayMapper.Clock;
import io.hdfslocalcache.replay.benchmark.Mapping.Places.Place;
import io.hdfslocalcache.replay.trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The reads of a task are done and counted; all of them are due long since. */
public class TestReplayMapper {

  private static final int LENGTH = 1000;
  private static final int NEVER_LATE = 1_000_000;
  /** Longer than this machine stalls. */
  private static final int PATIENT = 30_000;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private final TraceBuilder builder = new TraceBuilder();
  private FileSystem fs;
  private TaskRun task;

  @Before
  public void makeFile() throws IOException {
    fs = TaskRun.local();
    task = new TaskRun(temporary);
    write("data", LENGTH);
  }

  private void write(String name, int length) throws IOException {
    try (OutputStream out = fs.create(task.path(name))) {
      out.write(new byte[length]);
    }
  }

  private void read(long millis, long block, long offset, long length) {
    builder.add(Op.READ, millis, builder.replica(new Replica("BP-1", block, 1)), offset, length,
        builder.reader("a"));
  }

  private Tally replay(int threads, long lateMillis) throws Exception {
    return replay(List.of(new Place(0, 0, LENGTH)), threads, lateMillis);
  }

  private Tally replay(List<Place> places, int threads, long lateMillis) throws Exception {
    Path input = task.path("input-" + threads);
    Places all = new Places(List.of(task.path("data"), task.path("gone")), places);
    Trace trace = builder.build();
    new ReplayTasks(trace, 1, 0).write(fs, input, new Mapping(trace, all));
    return task.of(0, new ReplayMapper.Order(input.toString(), threads, lateMillis));
  }

  @Test
  public void reads_byOneThreadOrMany_areDoneOnce() throws Exception {
    IntStream.range(0, 50).forEach(i -> read(i, 1, i, 10));
    for (int threads : new int[] {1, 8}) {
      Tally tally = replay(threads, NEVER_LATE);
      assertEquals(50, tally.operations());
      assertEquals(500, tally.bytes());
      assertEquals(0, tally.failed());
      assertEquals(0, tally.late());
    }
  }

  @Test
  public void late_isWhatBeginsLongAfterItsTime() throws Exception {
    read(0, 1, 0, 10);
    read(10_000, 1, 0, 10);
    read(TaskRun.AGO_MILLIS - 1000, 1, 0, 10);
    Tally tally = replay(1, PATIENT);
    assertEquals(3, tally.operations());
    assertEquals("the third is 1 second late, which is not late", 2, tally.late());
    assertTrue("the first", tally.behindMillis() >= TaskRun.AGO_MILLIS);
    assertTrue("the first", tally.behindMillis() < TaskRun.AGO_MILLIS + PATIENT);
  }

  @Test
  public void failed_fileOrBytesAreMissing_othersGoOn() throws Exception {
    // By their ids: the file that is gone, the file, and a place beyond its end.
    read(0, 1, 0, 10);
    read(1, 2, 0, 100);
    read(2, 3, 0, 10);
    Tally tally = replay(List.of(new Place(1, 0, LENGTH), new Place(0, 0, LENGTH),
        new Place(0, LENGTH - 5, LENGTH)), 1, NEVER_LATE);
    assertEquals(2, tally.failed());
    assertEquals(1, tally.operations());
    assertEquals("of those that succeeded", 100, tally.bytes());
  }

  @Test
  public void readLargerThanARequest_isOneRead() throws Exception {
    int large = (16 << 20) + 100;
    write("data", large);
    read(0, 1, 0, large);
    Tally tally = replay(List.of(new Place(0, 0, large)), 1, NEVER_LATE);
    assertEquals(0, tally.failed());
    assertEquals(1, tally.operations());
    assertEquals(large, tally.bytes());
  }

  @Test
  public void inputOfATask_cutOff_isAnError() throws Exception {
    Path input = task.path("cut");
    try (DataOutputStream out = fs.create(new Path(input, "task-000000"))) {
      out.writeInt(0);
      out.writeInt(5);
    }
    assertThrows(EOFException.class, () -> task.of(0,
        new ReplayMapper.Order(input.toString(), 1, 0)));
  }

  @Test
  public void clock_startIsOver_doesNotWait() throws Exception {
    Clock clock = new Clock(System.currentTimeMillis() - 5000);
    long begin = clock.micros();
    assertTrue("" + begin, begin >= 5_000_000);
    clock.sleepUntil(0);
    clock.sleepUntil(4999);
    assertTrue("" + clock.micros(), clock.micros() - begin < 4_000_000);
    assertTrue("a start that is to come", new Clock(System.currentTimeMillis() + 9000).micros()
        < 0);
  }
}
