/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.recommend;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

import io.hdfslocalcache.replay.recommend.Recommender.Wish;
import io.hdfslocalcache.replay.recommend.TracesJob.Found;
import io.hdfslocalcache.replay.recommend.TracesJob.Line;
import io.hdfslocalcache.replay.recommend.TracesJob.Order;
import io.hdfslocalcache.replay.simulate.Disk;
import io.hdfslocalcache.replay.trace.TraceException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Traces of DataNodes, good and bad, played by tasks in this process. */
public class TestTracesJob {

  private static final String HEADER = "time_ms,block_id,offset,length\n";
  private static final String READS = HEADER + "0,1,0,4096\n1000,1,0,4096\n3600000,1,0,4096\n";
  private static final Wish WISH = new Wish(16L << 30, 1, 1, 0);

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private java.nio.file.Path traces;

  @Before
  public void makeDirectory() throws IOException {
    traces = temporary.newFolder("traces").toPath();
  }

  private void trace(String name, String text) throws IOException {
    java.nio.file.Path file = traces.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Found run() throws Exception {
    Configuration conf = new Configuration();
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, "file:///");
    conf.set("hadoop.tmp.dir", temporary.newFolder().getPath());
    Path job = new Path(new Path(temporary.newFolder().toURI()), "job");
    return new TracesJob(conf, new Path(traces.toUri()), job)
        .run(new Order(WISH, Disk.DEFAULT, null, "UTC", 512, 1));
  }

  @Test
  public void damagedAndEmptyTraces_areTold_andTheOthersArePlayed() throws Exception {
    trace("dn1.csv", READS);
    trace("dn2.csv", "");
    trace("dn3.csv", HEADER + "0,1,0,0\n");
    trace("dn4/1.csv", READS);
    trace("dn4/_SUCCESS", "");
    trace(".hidden.csv", "no trace");
    Found found = run();
    assertEquals(found.failures().toString(), 2, found.failures().size());
    assertEquals("dn2.csv: ", found.failures().get(0).substring(0, 9));
    assertEquals("dn3.csv: no reads in the trace", found.failures().get(1));
    assertEquals("six sizes, and three other page sizes", 9, found.settings().size());
    assertEquals(1 << 20, found.pageSize());
    assertEquals(List.of("dn1.csv", "dn4"), found.dataNodes().stream().map(Line::name).toList());
    Line one = found.dataNodes().get(0);
    assertEquals(3, one.reads());
    assertEquals("the second read fills", 1 / 3.0, one.offload(), 1e-9);
    assertEquals(1, one.hours(), 0.01);
    Line all = found.settings().stream().filter(line -> line.capacity() == WISH.capacity()
        && line.pageSize() == 1 << 20).findFirst().orElseThrow();
    assertEquals(Line.ALL, all.name());
    assertEquals("of both", 6, all.reads());
    assertEquals(1 / 3.0, all.offload(), 1e-9);
    assertNull("an hour says nothing of a day", one.writes());
    assertNull(all.writes());
    assertEquals(2 * one.hddSeconds(), all.hddSeconds(), 1e-9);
  }

  @Test
  public void noneCanBeUsed_isAnError_thatNamesTheFirst() throws Exception {
    trace("dn1.csv", HEADER + "0,1,0,0\n");
    trace("dn2.csv", HEADER + "0,1,0,0\n");
    TraceException e = assertThrows(TraceException.class, this::run);
    assertEquals("no trace can be used; the first: dn1.csv: no reads in the trace",
        e.getMessage());
  }
}
