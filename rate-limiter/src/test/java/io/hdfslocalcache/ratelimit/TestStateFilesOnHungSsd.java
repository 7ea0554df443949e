/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/**
 * Of two SSDs one hangs: in the place of its file is a named pipe, and opening that does not return
 * before somebody opens its other end.
 */
public class TestStateFilesOnHungSsd {
  private static final Map<String, Long> OLD = Map.of("Balance", -5L);
  private static final Map<String, Long> NEW = Map.of("Balance", 9L);
  private static final long MINUTES_MILLIS = 600_000;
  /** For one that hangs all of it, and for a sound one on a busy machine more than enough. */
  private static final long PATIENCE_MILLIS = 3_000;
  private static final long GB = 1 << 30;
  /** No disk of a busy machine: the sound one is to answer. */
  private static final File MEMORY = new File("/dev/shm");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder(MEMORY.isDirectory() ? MEMORY : null);

  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private Path hung;
  private Path sound;
  private Path pipe;

  @Before
  public void setUp() throws IOException {
    hung = folder.newFolder().toPath().resolve("state");
    sound = folder.newFolder().toPath().resolve("state");
  }

  @After
  public void letGo() throws Exception {
    if (pipe != null) {
      answer();
    }
  }

  private StateFiles files() {
    return new StateFiles(List.of(hung, sound), PATIENCE_MILLIS);
  }

  private static Map<String, Long> saved(Path file) throws IOException {
    return new StateFiles(List.of(file), MINUTES_MILLIS).load();
  }

  private void hangOnRead() throws Exception {
    hang(hung);
  }

  private void hangOnWrite() throws Exception {
    hang(hung.resolveSibling("state.tmp"));
  }

  private void hang(Path file) throws Exception {
    Process made = new ProcessBuilder("mkfifo", file.toString()).start();
    assertTrue(made.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, made.exitValue());
    pipe = file;
  }

  /** Whoever opens a pipe for both never waits, and lets go all who do. */
  private void answer() throws Exception {
    Path answered = pipe;
    pipe = null;
    Process opened = new ProcessBuilder("sh", "-c", "exec 3<>\"$0\"; rm \"$0\"; sleep 1",
        answered.toString()).start();
    assertTrue(opened.waitFor(60, TimeUnit.SECONDS));
    Files.deleteIfExists(answered);
  }

  @Test
  public void save_oneHangs_theOtherHasIt() throws Exception {
    hangOnWrite();
    files().save(NEW);
    assertEquals(NEW, saved(sound));
  }

  @Test
  public void save_oneStillHangs_isNotWaitedForAgain() throws Exception {
    hangOnWrite();
    StateFiles files = files();
    files.save(OLD);
    for (int i = 0; i < 1000; i++) {
      // More than an hour if each waited.
      files.save(NEW);
    }
    assertEquals(NEW, saved(sound));
    assertEquals("threads that wait for the SSD", 1, Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains(hung.getParent().toString())).count());
  }

  @Test
  public void save_itAnswersAgain_bothHaveIt() throws Exception {
    hangOnWrite();
    StateFiles files = files();
    files.save(OLD);
    answer();
    while (!Files.exists(hung)) {
      files.save(NEW);
      Thread.sleep(10);
    }
    assertEquals(NEW, saved(hung));
    assertEquals(NEW, saved(sound));
  }

  @Test
  public void save_allHang_isAnError() throws Exception {
    hangOnWrite();
    StateFiles only = new StateFiles(List.of(hung), 200);
    assertThrows(IOException.class, () -> only.save(NEW));
    assertThrows(IOException.class, () -> only.save(NEW));
  }

  @Test
  public void load_oneHangs_theOtherCounts() throws Exception {
    new StateFiles(List.of(sound), MINUTES_MILLIS).save(NEW);
    hangOnRead();
    assertEquals(NEW, files().load());
  }

  @Test
  public void load_oneHangs_theOtherIsNew_isAnError() throws Exception {
    hangOnRead();
    assertThrows("its balance is not known", IOException.class, () -> files().load());
  }

  @Test
  public void budget_oneSsdHangs_admitsAndCloses() throws Exception {
    TestingClock clock = new TestingClock();
    WriteBudget budget = new WriteBudget(clock, Runnable::run);
    budget.set(GB, GB);
    budget.restore(files());
    hangOnWrite();
    long written = 0;
    while (written < GB / 2) {
      assertTrue("after " + written, budget.mayWrite());
      budget.spend(1 << 20);
      written += 1 << 20;
    }
    budget.close();
    assertEquals(Long.valueOf(GB - written), saved(sound).get("Balance"));
  }
}
