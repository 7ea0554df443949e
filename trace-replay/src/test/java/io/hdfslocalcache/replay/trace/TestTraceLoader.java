/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import static io.hdfslocalcache.replay.trace.StatTrace.HOUR;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.zip.GZIPOutputStream;

import io.hdfslocalcache.replay.trace.Trace.Access;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.Trace.Span;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Files, good and bad. The genuine excerpt is described in the README beside it. */
public class TestTraceLoader {

  private static final String EXCERPT = "clienttrace-3.5.0.txt";
  private static final String HEADER = "time_ms,block_id,offset,length,reader\n";

  @Rule
  public TemporaryFolder folder = new TemporaryFolder();

  private static byte[] excerpt() throws IOException {
    return TestTraceLoader.class.getResourceAsStream(EXCERPT).readAllBytes();
  }

  private static byte[] gzip(byte[] data) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(data);
    }
    return out.toByteArray();
  }

  private Path file(byte[] content) throws IOException {
    return Files.write(folder.newFile().toPath(), content);
  }

  private Path file(String content) throws IOException {
    return file(content.getBytes(StandardCharsets.UTF_8));
  }

  private static TraceLoader.Loaded load(Path... files) throws IOException {
    return TraceLoader.load(List.of(files), ZoneOffset.UTC, 512);
  }

  private static String failure(Path... files) {
    return assertThrows(TraceException.class, () -> load(files)).getMessage();
  }

  private static String csv(Trace trace) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Csv.write(trace, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  public void load_genuineExcerpt_hasAllReadsAndWritesAndNothingBad() throws Exception {
    TraceLoader.Loaded loaded = load(file(excerpt()));
    int[] ops = new int[Op.values().length];
    long read = 0;
    Trace trace = loaded.trace();
    long last = 0;
    for (Access access : trace.accesses()) {
      ops[access.op().ordinal()]++;
      assertTrue(access.offset() % 512 == 0);
      assertTrue(access.offset() + access.length() <= 4 << 20);
      assertTrue(last <= access.timeMillis());
      last = access.timeMillis();
      read += access.isRead() ? access.length() : 0;
    }
    assertEquals(0, loaded.report().bad);
    assertEquals(0, loaded.report().other);
    assertEquals(trace.size(), loaded.report().lines);
    // 8 files of 3 blocks; 200 reads, a few of them of two blocks.
    assertEquals(24, ops[Op.WRITE.ordinal()]);
    assertEquals(24, trace.replicas().size());
    assertTrue(ops[Op.READ.ordinal()] >= 200);
    assertTrue(read > 0);
    assertTrue(trace.hasReaders());
    assertEquals("127.0.0.1", trace.readers().get(0));
  }

  @Test
  public void load_gzip_isTheSame() throws Exception {
    assertEquals(csv(load(file(excerpt())).trace()), csv(load(file(gzip(excerpt()))).trace()));
  }

  @Test
  public void load_gzipDamaged_fails() throws Exception {
    byte[] whole = gzip(excerpt());
    whole[whole.length / 2] ^= 0x55;
    Path file = file(whole);
    String message = failure(file);
    assertTrue(message, message.startsWith(file + ": damaged or cut off after line "));
  }

  @Test
  public void load_badLines_areCountedWithFileAndNumber() throws Exception {
    Path file = file(HEADER + "5,1,0,10,a\n" + "6,1,0,-1,a\n" + "7,1,0\n" + "8,1,0,x,b\n"
        + "\n" + "9,1,0,10,b\n" + "9,1,0,10,b,c\n" + "9,1,9223372036854775807,10,b\n");
    TraceLoader.Loaded loaded = load(file);
    assertEquals(2, loaded.trace().size());
    assertEquals(5, loaded.report().bad);
    assertEquals(List.of(file + ":3: negative length -1", file + ":4: not 5 columns",
        file + ":5: length is no number: x", file + ":8: not 5 columns",
        file + ":9: offset and length together are too large"), loaded.report().messages);
  }

  @Test
  public void load_linesOutOfOrder_areSorted() throws Exception {
    Trace trace;
    TraceLoader.Loaded loaded = load(file(HEADER + "50,1,0,1,a\n" + "70,2,0,2,a\n"
        + "60,3,0,3,b\n" + "60,4,0,4,b\n" + "10,5,0,5,b\n"));
    trace = loaded.trace();
    assertEquals(List.of(5L, 1L, 3L, 4L, 2L),
        trace.accesses().stream().map(Access::length).toList());
  }

  @Test
  public void load_severalFiles_areOneTrace() throws Exception {
    TraceLoader.Loaded loaded = load(file(HEADER + "50,1,0,1,a\n" + "70,1,0,2,a\n"),
        file(HEADER + "60,1,0,3,b\n"));
    assertEquals(3, loaded.trace().accesses().get(1).length());
    assertEquals(1, loaded.trace().replicas().size());
  }

  @Test
  public void load_files_tellsWhenEachWasTraced() throws Exception {
    TraceLoader.Loaded loaded = load(file(HEADER + "50,1,0,1,a\n" + "40,1,0,2,a\n"
        + "bad\n" + "90,1,0,2,a\n"), file(HEADER), file(HEADER + "60,1,0,3,b\n"));
    assertEquals(List.of(new Span(40, 90), new Span(60, 60)), loaded.spans());
  }

  /** Otherwise the second file would seem to have no pause of tracing before it. */
  @Test
  public void load_wrongClockAtTheStart_isNoTimeInWhichTheFileWasTraced() throws Exception {
    long year = 365 * 24 * HOUR;
    TraceLoader.Loaded loaded = load(
        file(HEADER + year + ",1,0,1,a\n" + (year + 7 * 24 * HOUR) + ",1,0,1,a\n"),
        file(HEADER + "50,1,0,1,a\n" + (year + 200 * HOUR) + ",1,0,2,a\n"));
    assertEquals(List.of(new Span(year, year + 7 * 24 * HOUR), new Span(50, 50),
        new Span(year + 200 * HOUR, year + 200 * HOUR)), loaded.spans());
  }

  @Test
  public void load_columnsInAnyOrder_areFoundByTheirNames() throws Exception {
    Trace trace = load(file("op,length,colour,offset,block_id,block_pool,time_ms\n"
        + "write,7,red,0,9,BP-1,1234\n")).trace();
    Access access = trace.accesses().get(0);
    assertEquals(Op.WRITE, access.op());
    assertEquals(7, access.length());
    assertEquals(new Replica("BP-1", 9, 0), trace.replicas().get(0));
    assertEquals(1234, access.timeMillis());
    assertEquals(-1, access.durationMicros());
    assertFalse(trace.hasReaders());
  }

  @Test
  public void load_noFile_fails() {
    assertEquals("/no/such/file: no such file", failure(Path.of("/no/such/file")));
  }

  @Test
  public void load_directory_fails() {
    Path directory = folder.getRoot().toPath();
    assertEquals(directory + ": not a file", failure(directory));
  }

  @Test
  public void load_emptyFile_fails() throws Exception {
    Path file = file("");
    assertEquals("no reads or writes in " + file + ": empty", failure(file));
  }

  @Test
  public void load_headerOnly_fails() throws Exception {
    Path file = file(HEADER);
    assertTrue(failure(file).startsWith("no reads or writes in " + file));
  }

  @Test
  public void load_otherText_fails() throws Exception {
    assertTrue(failure(file("hello\nworld\n")).contains("nor a DataNode's log"));
  }

  @Test
  public void load_neededColumnMissing_fails() throws Exception {
    Path file = file("time_ms,block_id,length\n1,2,3\n");
    assertEquals(file + ":1: no column offset in the first line", failure(file));
  }
}
