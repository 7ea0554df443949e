/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

import io.hdfslocalcache.replay.benchmark.ReplayPlan.Operation;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.Trace.TraceBuilder;
import org.apache.hadoop.fs.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Which reads a trace becomes, and of which client. */
public class TestReplayPlan {

  private static final int BLOCK = 1000;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private final TraceBuilder builder = new TraceBuilder();

  private void access(Op op, long millis, long block, long stamp, long offset, long length,
      String reader) {
    builder.add(op, millis, builder.replica(new Replica("BP-1", block, stamp)), offset, length,
        builder.reader(reader));
  }

  private void read(long millis, long block, long offset, long length) {
    access(Op.READ, millis, block, 1, offset, length, "a");
  }

  /** @return a read of the trace, with two files of two blocks each. */
  private static Operation operation(ReplayPlan plan, Trace trace, int access) {
    return plan.operation(trace.accesses().get(access), 2, 2, BLOCK);
  }

  @Test
  public void operation_blocksInAnyOrderOfTime_areInTheOrderOfTheirIds() {
    read(0, 30, 1, 2);
    read(1, 20, 3, 4);
    read(2, 10, 5, 6);
    Trace trace = builder.build();
    ReplayPlan plan = new ReplayPlan(trace, 1, 0);
    assertEquals(3, plan.blocksRead());
    assertEquals(new Operation(0, 1, 1, 2), operation(plan, trace, 0));
    assertEquals(new Operation(1, 0, BLOCK + 3, 4), operation(plan, trace, 1));
    assertEquals(new Operation(2, 0, 5, 6), operation(plan, trace, 2));
  }

  @Test
  public void operation_moreBlocksThanPlaces_beginsAgain() {
    for (int block = 0; block < 5; block++) {
      read(0, block, 0, 1);
    }
    Trace trace = builder.build();
    ReplayPlan plan = new ReplayPlan(trace, 1, 0);
    assertEquals(operation(plan, trace, 0), operation(plan, trace, 4));
    assertNotEquals(operation(plan, trace, 0), operation(plan, trace, 1));
  }

  @Test
  public void operation_newGenerationStampAndBlockOnlyWritten_changeNothing() {
    access(Op.WRITE, 0, 5, 1, 0, 100, "a");
    access(Op.READ, 0, 10, 1, 0, 1, "a");
    access(Op.READ, 0, 10, 2, 0, 1, "a");
    access(Op.WRITE, 0, 15, 1, 0, 100, "a");
    Trace trace = builder.build();
    ReplayPlan plan = new ReplayPlan(trace, 1, 0);
    assertEquals(1, plan.blocksRead());
    assertEquals(new Operation(0, 0, 0, 1), operation(plan, trace, 1));
    assertEquals(new Operation(0, 0, 0, 1), operation(plan, trace, 2));
  }

  @Test
  public void operation_blockTooLarge_isFoldedCutAndCounted() {
    read(0, 1, 2 * BLOCK + 10, 20);
    read(1, 1, 900, 200);
    read(2, 1, BLOCK + 999, 5);
    Trace trace = builder.build();
    ReplayPlan plan = new ReplayPlan(trace, 1, 0);
    assertEquals(new Operation(0, 0, 10, 20), operation(plan, trace, 0));
    assertEquals(new Operation(1, 0, 900, 100), operation(plan, trace, 1));
    assertEquals(new Operation(2, 0, 999, 1), operation(plan, trace, 2));
    assertEquals(2, plan.wrapped());
    assertEquals(2, plan.shortened());
  }

  private List<Operation> written(String task) throws IOException {
    return Files.readAllLines(temporary.getRoot().toPath().resolve(task)).stream()
        .map(Operation::parse).toList();
  }

  @Test
  public void write_twoReaders_eachHasItsReadsAtTheirTimes() throws Exception {
    access(Op.READ, 1000, 1, 1, 0, 1, "a");
    access(Op.READ, 1200, 2, 1, 0, 2, "b");
    access(Op.READ, 1400, 1, 1, 0, 0, "b");
    access(Op.WRITE, 1500, 3, 1, 0, 9, "c");
    access(Op.READ, 1600, 1, 1, 0, 3, "a");
    ReplayPlan plan = new ReplayPlan(builder.build(), 2, 0);
    plan.write(TestReplayMapper.local(), new Path(temporary.getRoot().toURI()), 2, 2, BLOCK);
    assertEquals("c only writes", 2, plan.tasks());
    assertEquals(3, plan.operations());
    assertEquals(1, plan.notReads());
    assertEquals(1, plan.empty());
    assertEquals(List.of(new Operation(0, 0, 0, 1), new Operation(300, 0, 0, 3)),
        written("task-000000"));
    assertEquals(List.of(new Operation(100, 0, BLOCK, 2)), written("task-000001"));
  }

  @Test
  public void moreReadersThanMappers_areShared() {
    for (int i = 0; i < 5; i++) {
      access(Op.READ, i, 1, 1, 0, 1, "reader" + i);
    }
    ReplayPlan plan = new ReplayPlan(builder.build(), 1, 2);
    assertEquals(2, plan.tasks());
    assertEquals(5, plan.operations());
  }
}
