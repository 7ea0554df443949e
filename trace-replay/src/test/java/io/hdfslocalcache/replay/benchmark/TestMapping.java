/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

import io.hdfslocalcache.replay.benchmark.Mapping.Places;
import io.hdfslocalcache.replay.benchmark.Mapping.Places.Place;
import io.hdfslocalcache.replay.benchmark.ReplayTasks.Operation;
import io.hdfslocalcache.replay.trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceBuilder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Which reads a trace becomes, and whose. */
public class TestMapping {

  private static final int BLOCK = 1000;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private final TraceBuilder builder = new TraceBuilder();
  private final Places places = new Places(List.of(new Path("/0"), new Path("/1")),
      List.of(new Place(0, 0, BLOCK), new Place(0, BLOCK, BLOCK), new Place(1, 0, 300)));

  private void access(Op op, long millis, long block, long stamp, long offset, long length,
      String reader) {
    builder.add(op, millis, builder.replica(new Replica("BP-1", block, stamp)), offset, length,
        builder.reader(reader));
  }

  private void read(long millis, long block, long offset, long length) {
    access(Op.READ, millis, block, 1, offset, length, "a");
  }

  @Test
  public void operation_blocksInAnyOrderOfTime_areInTheOrderOfTheirIds() throws Exception {
    read(0, 30, 1, 2);
    read(1, 20, 3, 4);
    read(2, 10, 5, 6);
    Trace trace = builder.build();
    Mapping mapping = new Mapping(trace, places);
    assertEquals(3, Mapping.blocksRead(trace));
    assertEquals(new Operation(7, 1, 1, 2), mapping.operation(0, 7));
    assertEquals(new Operation(8, 0, BLOCK + 3, 4), mapping.operation(1, 8));
    assertEquals(new Operation(9, 0, 5, 6), mapping.operation(2, 9));
  }

  @Test
  public void operation_moreBlocksThanPlaces_beginsAgain() throws Exception {
    for (int block = 0; block < 4; block++) {
      read(block, block, 0, 1);
    }
    Mapping mapping = new Mapping(builder.build(), places);
    assertEquals(mapping.operation(0, 0), mapping.operation(3, 0));
    assertNotEquals(mapping.operation(0, 0), mapping.operation(1, 0));
  }

  @Test
  public void operation_newGenerationStampAndBlockOnlyWritten_changeNothing() throws Exception {
    access(Op.WRITE, 0, 5, 1, 0, 100, "a");
    access(Op.READ, 1, 10, 1, 0, 1, "a");
    access(Op.READ, 2, 10, 2, 0, 1, "a");
    Trace trace = builder.build();
    Mapping mapping = new Mapping(trace, places);
    assertEquals(1, Mapping.blocksRead(trace));
    assertEquals(new Operation(0, 0, 0, 1), mapping.operation(1, 0));
    assertEquals(new Operation(0, 0, 0, 1), mapping.operation(2, 0));
  }

  @Test
  public void operation_blockTooLarge_isFoldedCutAndCounted() throws Exception {
    read(0, 1, 2 * BLOCK + 10, 20);
    read(1, 1, 900, 200);
    read(2, 1, BLOCK + 999, 5);
    Mapping mapping = new Mapping(builder.build(), places);
    assertEquals(new Operation(0, 0, 10, 20), mapping.operation(0, 0));
    assertEquals(new Operation(0, 0, 900, 100), mapping.operation(1, 0));
    assertEquals(new Operation(0, 0, 999, 1), mapping.operation(2, 0));
    assertEquals(2, mapping.wrapped());
    assertEquals(2, mapping.shortened());
  }

  @Test
  public void split_twoReaders_eachHasItsReadsAtTheirTimes() throws Exception {
    access(Op.READ, 1000, 1, 1, 0, 1, "a");
    access(Op.READ, 1200, 2, 1, 0, 2, "b");
    access(Op.READ, 1400, 1, 1, 0, 0, "b");
    access(Op.WRITE, 1500, 3, 1, 0, 9, "c");
    access(Op.READ, 1600, 1, 1, 0, 3, "a");
    Trace trace = builder.build();
    FileSystem fs = TaskRun.local();
    Path directory = new Path(temporary.getRoot().toURI());
    ReplayTasks tasks = new ReplayTasks(trace, 2, 0);
    tasks.write(fs, directory, new Mapping(trace, places));
    assertEquals("c only writes", 2, tasks.number());
    assertEquals(3, tasks.operations());
    assertEquals(1, tasks.notReads());
    assertEquals(1, tasks.empty());
    assertEquals(List.of(new Operation(0, 0, 0, 1), new Operation(300, 0, 0, 3)),
        ReplayTasks.read(fs, directory, 0).operations());
    assertEquals(List.of(new Operation(100, 0, BLOCK, 2)),
        ReplayTasks.read(fs, directory, 1).operations());
    assertEquals(places.files(), ReplayTasks.read(fs, directory, 1).files());
  }

  @Test
  public void find_everyBlockOfEveryFileIsAPlace() throws Exception {
    Configuration conf = new Configuration();
    conf.setLong("fs.local.block.size", BLOCK);
    FileSystem fs = new LocalFileSystem();
    fs.initialize(java.net.URI.create("file:///"), conf);
    Path directory = new Path(temporary.getRoot().toURI());
    assertThrows("no files", IOException.class, () -> Places.find(fs, directory));
    Files.write(temporary.newFile("b").toPath(), new byte[300]);
    Files.write(temporary.newFile("a").toPath(), new byte[BLOCK + 500]);
    temporary.newFile("empty");
    Places found = Places.find(fs, directory);
    assertEquals(List.of(new Place(0, 0, BLOCK), new Place(0, BLOCK, 500), new Place(1, 0, 300)),
        found.all());
    assertEquals("b", found.files().get(1).getName());
    assertEquals(BLOCK + 800, found.bytes());
  }

  @Test
  public void split_moreReadersThanMappers_areShared() throws Exception {
    for (int i = 0; i < 5; i++) {
      access(Op.READ, i, 1, 1, 0, 1, "reader" + i);
    }
    ReplayTasks tasks = new ReplayTasks(builder.build(), 1, 2);
    assertEquals(2, tasks.number());
    assertEquals(5, tasks.operations());
  }
}
