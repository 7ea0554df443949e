/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.replay.trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A trace taken apart by reader. */
public class TestReaderSplit {

  @Rule
  public TemporaryFolder folder = new TemporaryFolder();

  private static Trace trace(String... readers) throws Exception {
    TraceBuilder builder = new TraceBuilder();
    int replica = builder.replica(new Replica("BP-1", 1, 1));
    for (int i = 0; i < readers.length; i++) {
      builder.add(Op.READ, i, replica, 0, i + 1, builder.reader(readers[i]));
    }
    return builder.build();
  }

  @Test
  public void write_topReaders_haveFilesOfTheirOwn() throws Exception {
    Path directory = folder.getRoot().toPath().resolve("new/split");
    Map<Path, Long> files = ReaderSplit.write(
        trace("a", "b", "b", "../c", "../c", "../c", "d"), 2, directory, n -> { });
    assertEquals(Map.of(directory.resolve("_.._c.csv.gz"), 3L, directory.resolve("b.csv.gz"), 2L,
        directory.resolve("others.csv.gz"), 2L), files);
    List<Path> all = new ArrayList<>(files.keySet());
    assertEquals(7, TraceLoader.load(all, TraceLoader.Options.DEFAULT, n -> { }).trace().size());
    assertArrayEquals(new String[] {"split"}, directory.getParent().toFile().list());
  }

  @Test
  public void write_addressesThatLookAlikeAsFileNames_areKeptApart() throws Exception {
    Path directory = folder.getRoot().toPath().resolve("split");
    assertEquals(2, ReaderSplit.write(trace("::1", "__1"), 2, directory, n -> { }).size());
  }

  @Test
  public void write_failure_leavesNothing() throws Exception {
    Trace trace = trace("a", "b");
    Path directory = folder.getRoot().toPath().resolve("split");
    assertThrows(IllegalStateException.class, () -> ReaderSplit.write(trace, 2, directory, n -> {
      throw new IllegalStateException("failed");
    }));
    assertArrayEquals(new String[0], folder.getRoot().list());
  }
}
