/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.benchmark;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.hdfslocalcache.replay.benchmark.TaskMapper.Clock;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What the tasks of the other benchmarks write, read and count. */
public class TestTaskMappers {

  private static final int LENGTH = 2500;
  private static final int FILES = 3;

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private FileSystem fs;
  private TaskRun task;
  private String data;

  @Before
  public void begin() throws Exception {
    fs = TaskRun.local();
    task = new TaskRun(temporary);
    data = task.path("data").toString();
  }

  private Tally write(int number, int tasks) throws Exception {
    return task.of(new WriteMapper(), number,
        new WriteMapper.Order(data, FILES, tasks, LENGTH, 1 << 20)).get("write");
  }

  private Tally scale(int number, int readSize, int passes, boolean random) throws Exception {
    return task.of(new Scale.Reader(), number,
        new Scale.Order(data, FILES, LENGTH, readSize, passes, random, 1)).get("read");
  }

  @Test
  public void write_twoTasks_shareTheFiles() throws Exception {
    Tally first = write(0, 2);
    assertEquals("files 0 and 2", 2, first.operations());
    assertEquals(2 * LENGTH, first.bytes());
    assertFalse(fs.exists(WriteMapper.file(new Path(data), 1)));
    assertEquals(1, write(1, 2).operations());
    for (int file = 0; file < FILES; file++) {
      assertEquals(LENGTH, fs.getFileStatus(WriteMapper.file(new Path(data), file)).getLen());
    }
  }

  @Test
  public void filler_isTheSameForASeed_andIsRepeated() throws Exception {
    byte[] filler = WriteMapper.filler(7);
    assertArrayEquals(filler, WriteMapper.filler(7));
    assertFalse(Arrays.equals(filler, WriteMapper.filler(8)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WriteMapper.fill(out, filler.length + 10, filler);
    byte[] written = out.toByteArray();
    assertEquals(filler.length + 10, written.length);
    assertArrayEquals(Arrays.copyOf(filler, 10),
        Arrays.copyOfRange(written, filler.length, written.length));
  }

  @Test
  public void scale_sequential_readsTheWholeFileInEachPass() throws Exception {
    write(0, 1);
    Tally tally = scale(4, 1000, 2, false);
    assertEquals("1000, 1000 and 500, twice", 6, tally.operations());
    assertEquals(2 * LENGTH, tally.bytes());
  }

  @Test
  public void scale_random_readsWholePieces() throws Exception {
    write(0, 1);
    Tally tally = scale(0, 1000, 3, true);
    assertEquals(3 * 2, tally.operations());
    assertEquals(3 * 2 * 1000, tally.bytes());
    Tally larger = scale(0, 1 << 20, 1, true);
    assertEquals("a read larger than the file is the file", LENGTH, larger.bytes());
  }

  @Test
  public void baseline_eachPass_hasATallyOfItsOwn() throws Exception {
    write(0, 1);
    String file = WriteMapper.file(new Path(data), 0).toString();
    Map<String, Tally> passes =
        task.of(new Baseline.Reader(), 0, new Baseline.Order(file, LENGTH, 3));
    assertEquals(List.of("pass 001", "pass 002", "pass 003"), List.copyOf(passes.keySet()));
    passes.values().forEach(pass -> assertEquals(LENGTH, pass.bytes()));
  }

  @Test
  public void fileIsShorterThanItShouldBe_isAnError() throws Exception {
    write(0, 1);
    Path file = WriteMapper.file(new Path(data), 0);
    EOFException e = assertThrows(EOFException.class, () -> task.of(new Baseline.Reader(), 0,
        new Baseline.Order(file.toString(), LENGTH + 1, 1)));
    assertEquals(file + " ends at 2500 instead of 2501", e.getMessage());
  }

  /** Tasks run on other machines than the command, which may have other locales. */
  @Test
  public void names_localeWithOtherDigits_areTheSame() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertEquals("file-000012", WriteMapper.file(new Path("/data"), 12).getName());
    } finally {
      Locale.setDefault(before);
    }
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
