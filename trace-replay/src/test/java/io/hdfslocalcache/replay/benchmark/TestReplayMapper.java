/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;

import io.hdfslocalcache.replay.benchmark.ReplayMapper.Clock;
import io.hdfslocalcache.replay.benchmark.ReplayPlan.Operation;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The reads of a task are done and counted; all of them were due long ago. */
public class TestReplayMapper {

  private static final int LENGTH = 1000;
  /** How long ago the job began: the first read is this late. */
  private static final long AGO_MILLIS = 60_000;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private FileSystem fs;
  private Path directory;

  /** @return the local file system, which needs no Hadoop to be configured. */
  static FileSystem local() throws IOException {
    FileSystem fs = new LocalFileSystem();
    fs.initialize(URI.create("file:///"), new Configuration());
    return fs;
  }

  @Before
  public void makeFile() throws IOException {
    fs = local();
    directory = new Path(temporary.getRoot().toURI());
    write(LENGTH);
  }

  private void write(int length) throws IOException {
    try (OutputStream out = fs.create(new Path(directory, ReplayPlan.file(0)))) {
      out.write(new byte[length]);
    }
  }

  private Tally replay(List<Operation> reads, int threads) throws Exception {
    return new ReplayMapper().replay(fs, directory, reads,
        new Clock(System.currentTimeMillis() - AGO_MILLIS), threads);
  }

  @Test
  public void reads_byOneThreadOrMany_areDoneOnce() throws Exception {
    List<Operation> reads = IntStream.range(0, 50)
        .mapToObj(i -> new Operation(i, 0, i, 10)).toList();
    for (int threads : new int[] {1, 8}) {
      Tally tally = replay(reads, threads);
      assertEquals(50, tally.operations());
      assertEquals(500, tally.bytes());
      assertEquals(0, tally.failed());
    }
  }

  @Test
  public void operation_asALine_isTheSame() {
    Operation read = new Operation(1L << 40, 7, 1L << 41, 13);
    assertEquals(read, Operation.parse(read.toString()));
  }

  @Test
  public void late_isWhatBeginsLongAfterItsTime() throws Exception {
    Tally tally = replay(List.of(new Operation(0, 0, 0, 10), new Operation(10_000, 0, 0, 10)), 1);
    assertEquals(2, tally.operations());
    assertEquals(2, tally.late());
    assertTrue("the first", tally.behindMillis() >= AGO_MILLIS);
  }

  @Test
  public void late_readThatIsNotDueYet_isWaitedFor() throws Exception {
    long due = AGO_MILLIS + 300;
    Clock clock = new Clock(System.currentTimeMillis() - AGO_MILLIS);
    new ReplayMapper().replay(fs, directory, List.of(new Operation(due, 0, 0, 10)), clock, 1);
    assertTrue("" + clock.micros(), clock.micros() >= due * 1000);
  }

  @Test
  public void failed_fileOrBytesAreMissing_othersGoOn() throws Exception {
    Tally tally = replay(List.of(new Operation(0, 1, 0, 10), new Operation(1, 0, 0, 100),
        new Operation(2, 0, LENGTH - 5, 10)), 1);
    assertEquals(2, tally.failed());
    assertEquals(1, tally.operations());
    assertEquals("of those that succeeded", 100, tally.bytes());
  }

  @Test
  public void readLargerThanARequest_isOneRead() throws Exception {
    int large = (16 << 20) + 100;
    write(large);
    Tally tally = replay(List.of(new Operation(0, 0, 0, large)), 1);
    assertEquals(0, tally.failed());
    assertEquals(1, tally.operations());
    assertEquals(large, tally.bytes());
  }
}
