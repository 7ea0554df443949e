/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.common.collect.Collections2;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.simulation.LoggedFileSystem;
import io.hdfslocalcache.ratelimit.StateFile;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;
import org.slf4j.LoggerFactory;

/** One state on two SSDs, of which any may be new, absent, damaged or hanging. */
public class TestKeptState {

  private static final String SETTING = LocalCacheKeys.CAPACITY;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Rule
  public final Timeout timeout = Timeout.seconds(300);

  private final AtomicLong now = new AtomicLong(1_000_000_000_000L);
  /** For writes of the state on the SSD of {@link #slowSsd}. */
  private final Semaphore permits = new Semaphore(1000);
  private final LoggedFileSystem slow = new LoggedFileSystem();
  private Path first;
  private Path second;
  private KeptState state;

  @Before
  public void makeSsds() throws IOException {
    first = Files.createDirectories(folder.newFolder("ssd0").toPath().resolve("uuid"));
    second = Files.createDirectories(folder.newFolder("ssd1").toPath().resolve("uuid"));
  }

  @After
  public void endWaits() throws IOException {
    permits.release(1000);
    slow.close();
  }

  /** Makes a file whose reads hang until something is written to it. */
  private static void makePipe(Path file) throws IOException, InterruptedException {
    assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
  }

  private static SsdWear wear() {
    return new SsdWear(() -> SsdWear.UNKNOWN, System::nanoTime);
  }

  /** Opens it as after a restart, on those SSDs that are there. */
  private void open() {
    open(PATIENCE_NANOS);
  }

  private void open(long patienceNanos) {
    now.addAndGet(1000);
    state = new KeptState(List.of(first, second), null, patienceNanos, now::get);
    state.open(List::of);
    for (Path root : List.of(first, second)) {
      if (Files.isDirectory(root)) {
        state.use(root, wear());
      }
    }
  }

  private void keep(String part, String value) throws IOException {
    now.addAndGet(1000);
    state.change(part, before -> TextNode.valueOf(value));
    state.keep(PATIENCE_NANOS);
  }

  private String kept(String part) {
    JsonNode value = state.get(part);
    return value == null ? null : value.asText();
  }

  private static void away(Path root) throws IOException {
    Files.move(root.getParent(), root.getParent().resolveSibling("away"));
  }

  private static void back(Path root) throws IOException {
    Files.move(root.getParent().resolveSibling("away"), root.getParent());
  }

  private static void replaceByNew(Path root) throws IOException {
    FileUtil.fullyDelete(root.toFile());
    Files.createDirectory(root);
  }

  @Test
  public void change_isOnEachSsdInAPrivateFile_andThereAfterARestart() throws IOException {
    open();
    keep(KeptState.PINS, "one");
    keep(SETTING, "two");
    for (Path root : List.of(first, second)) {
      assertEquals("rw-------", PosixFilePermissions.toString(
          Files.getPosixFilePermissions(root.resolve(KeptState.FILE))));
      try (var files = Files.list(root)) {
        assertEquals(List.of(root.resolve(KeptState.FILE)), files.toList());
      }
    }
    open();
    assertEquals("one", kept(KeptState.PINS));
    assertEquals("two", kept(SETTING));
  }

  @Test
  public void ssdIsNew_theOtherHasIt_andItGetsACopy() throws IOException {
    open();
    keep(KeptState.PINS, "one");
    replaceByNew(first);
    open();
    assertEquals("one", kept(KeptState.PINS));
    state.keep(PATIENCE_NANOS);
    assertTrue(Files.readString(first.resolve(KeptState.FILE)).contains("one"));
  }

  /** Each part by itself: the SSD that has the newer pins need not have the newer setting. */
  @Test
  public void ssdsAbsentInTurn_theLaterChangeOfEachPartCounts() throws IOException {
    open();
    keep(KeptState.PINS, "old");
    keep(SETTING, "old");
    away(first);
    open();
    keep(KeptState.PINS, "later");
    keep(SETTING, "later");
    keep(SETTING, "and changed again");
    Files.move(second.getParent(), second.getParent().resolveSibling("away1"));
    back(first);
    open();
    assertEquals("all that is known", "old", kept(KeptState.PINS));
    keep(SETTING, "last");
    Files.move(second.getParent().resolveSibling("away1"), second.getParent());
    open();
    assertEquals("later", kept(KeptState.PINS));
    assertEquals("last", kept(SETTING));
  }

  @Test
  public void dropped_theSsdThatHasItWasAbsent_staysDropped() throws IOException {
    open();
    keep(SETTING, "old");
    away(first);
    open();
    state.change(SETTING, before -> null);
    back(first);
    open();
    assertNull(kept(SETTING));
    state.keep(PATIENCE_NANOS);
    open();
    assertNull(kept(SETTING));
  }

  /** A saved setting is dropped because it is configured anew; a later command was saved elsewhere. */
  @Test
  public void correct_theAbsentSsdHasALaterChange_thatCounts() throws IOException {
    open();
    keep(SETTING, "old");
    away(first);
    open();
    keep(SETTING, "later");
    back(first);
    away(second);
    open();
    state.correct(SETTING, before -> TextNode.valueOf(before.asText() + ", corrected"));
    assertEquals("old, corrected", kept(SETTING));
    state.keep(PATIENCE_NANOS);
    back(second);
    open();
    assertEquals("later", kept(SETTING));
  }

  @Test
  public void balance_ssdsAbsentInTurn_allThatDifferAreFound() throws IOException {
    open();
    state.save(Map.of("Balance", 100L));
    state.keep(PATIENCE_NANOS);
    away(first);
    open();
    state.save(Map.of("Balance", 10L));
    state.keep(PATIENCE_NANOS);
    now.addAndGet(3_600_000);
    back(first);
    open();
    assertEquals(2, state.load().size());
    assertTrue(state.load().toString(), state.load().stream().anyMatch(
        copy -> copy.get("Balance") == 10 && copy.get(StateFile.AGE) == 3_601_000));
    state.save(Map.of("Balance", 5L));
    state.keep(PATIENCE_NANOS);
    open();
    assertEquals(List.of(Map.of("Balance", 5L, StateFile.AGE, 1000L)), state.load());
  }

  @Test
  public void balance_nothingSaved_isNew_oneSsdIsAbsent_isNotKnown() throws IOException {
    open();
    assertEquals(List.of(), state.load());
    FileUtil.fullyDelete(first.getParent().toFile());
    open();
    assertThrows(IOException.class, () -> state.load());
  }

  /** The state may be there: taking it for empty would overwrite it. */
  @Test
  public void nothingFoundAndOneSsdIsAbsent_commandsAreRefusedUntilItIsThere() throws Exception {
    open();
    keep(KeptState.PINS, "one");
    away(first);
    replaceByNew(second);
    open();
    String why = assertThrows(IOException.class, () -> keep(KeptState.PINS, "two")).getMessage();
    assertEquals("cannot read the saved state " + first.resolve(KeptState.FILE)
        + ": its SSD is missing: no " + first.getParent() + "; it is read when the SSD is used: mount "
        + "it, and run ssd add if you have removed it, or ssd replace for another SSD in its place", why);
    state.save(Map.of("Balance", 10L));
    AtomicBoolean told = new AtomicBoolean();
    // The first use of the other SSD may be told, too.
    state.onFound(() -> told.compareAndSet(false, "one".equals(kept(KeptState.PINS))));
    back(first);
    state.use(first, wear());
    LocalCacheCluster.await("who uses it is told", told::get);
    keep(KeptState.PINS, "two");
    open();
    assertEquals("two", kept(KeptState.PINS));
  }

  @Test
  public void change_noSsdCanBeWritten_isRefusedAndNotChanged() throws IOException {
    open();
    keep(KeptState.PINS, "one");
    FileUtil.fullyDelete(first.toFile());
    FileUtil.fullyDelete(second.toFile());
    String why = assertThrows(IOException.class, () -> keep(KeptState.PINS, "two")).getMessage();
    assertEquals("directory is missing: " + first, why);
    assertEquals("one", kept(KeptState.PINS));
    Files.createDirectory(second);
    keep(SETTING, "three");
    open();
    assertEquals("one", kept(KeptState.PINS));
    assertThrows(IOException.class, () -> KeptState.nowhere().change(KeptState.PINS, pins -> pins));
  }

  /** A named pipe replaces the file: opening it blocks until its other end is opened. */
  @Test
  public void oneSsdHangs_nobodyWaitsForIt_theOtherFails_onlyForAWhile() throws Exception {
    open();
    keep(KeptState.PINS, "one");
    Path pipe = first.resolve(KeptState.FILE);
    Files.delete(pipe);
    makePipe(pipe);
    try {
      open(TimeUnit.SECONDS.toNanos(10));
      assertEquals("one", kept(KeptState.PINS));
      for (int i = 0; i < 1000; i++) {
        // Hours if each waited.
        change("two");
      }
      assertTrue(Files.readString(second.resolve(KeptState.FILE)).contains("two"));
      assertEquals("threads that hang", 2, Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().contains(first.toString())).count());
      FileUtil.fullyDelete(second.toFile());
      changeInVain("three");
      assertEquals("two", kept(KeptState.PINS));
    } finally {
      new RandomAccessFile(pipe.toFile(), "rw").close();
    }
  }

  /** One SSD, on which each write of the state waits for a permit. */
  private Path slowSsd() throws IOException {
    Path ssd = Files.createDirectories(slow.getPath("/ssd/uuid"));
    state = new KeptState(List.of(ssd), null, TimeUnit.SECONDS.toNanos(5), now::get);
    state.use(ssd, wear());
    slow.setFaults((call, path) -> {
      if (path.toString().endsWith(".tmp")) {
        permits.acquireUninterruptibly();
      }
    });
    return ssd;
  }

  private String savedAtLast(Path ssd) throws Exception {
    // A look may miss a thread that ends while it starts another one, but none that hangs.
    List<Thread> saving = threadsOf(ssd);
    permits.release(1000);
    while (!saving.isEmpty()) {
      for (Thread thread : saving) {
        thread.join();
      }
      saving = threadsOf(ssd);
    }
    return Files.readString(ssd.resolve(KeptState.FILE));
  }

  private static List<Thread> threadsOf(Path root) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().endsWith(root.toString())).toList();
  }

  private void change(String value) throws IOException {
    state.change(KeptState.PINS, before -> TextNode.valueOf(value));
  }

  private void changeInVain(String value) {
    assertThrows(IOException.class, () -> change(value));
  }

  @Test
  public void change_refusedWhileTheSsdHangs_doesNotLandAfterTheSsdWasLeft() throws Exception {
    Path ssd = slowSsd();
    keep(KeptState.PINS, "one");
    permits.drainPermits();
    changeInVain("two");
    LocalCacheCluster.await("it is said",
        () -> state.failures().equals(Map.of(ssd, "the SSD does not answer")));
    state.leave(ssd, 0);
    String saved = savedAtLast(ssd);
    assertTrue(saved, saved.contains("one"));
    assertFalse(saved, saved.contains("two"));
  }

  /** An SSD that is found meanwhile has everything known applied: a refused change would stay in force. */
  @Test
  public void change_notSavedYet_isNotSeen() throws Exception {
    slowSsd();
    keep(KeptState.PINS, "one");
    permits.drainPermits();
    CompletableFuture<Void> two = CompletableFuture.runAsync(() -> changeInVain("two"));
    LocalCacheCluster.await("a save that hangs", permits::hasQueuedThreads);
    assertEquals("one", kept(KeptState.PINS));
    two.get();
    assertEquals("one", kept(KeptState.PINS));
    permits.release(1000);
    change("three");
    assertEquals("three", kept(KeptState.PINS));
  }

  @Test
  public void change_isRefused_aLaterOneOnAnSsdThatWasAwayCounts() throws Exception {
    open();
    keep(KeptState.PINS, "one");
    away(second);
    open();
    keep(KeptState.PINS, "two");
    back(second);
    away(first);
    open();
    assertEquals("one", kept(KeptState.PINS));
    Path full = second.resolveSibling("full");
    Files.move(second, full);
    changeInVain("three");
    Files.move(full, second);
    keep(SETTING, "other");
    back(first);
    open();
    assertEquals("two", kept(KeptState.PINS));
    assertEquals("other", kept(SETTING));
  }

  /** It has its place already when the directory cannot be synced, so that nobody knows. */
  @Test
  public void change_isRefusedAndInAFileAllTheSame_doesNotCount_whateverIsReadFirst() throws Exception {
    List<Path> ssds = new ArrayList<>();
    for (String ssd : List.of("failing", "full", "later")) {
      ssds.add(Files.createDirectories(slow.getPath("/" + ssd + "/uuid")));
    }
    Path failing = ssds.get(0);
    Path full = ssds.get(1);
    Path later = ssds.get(2);
    openAt(ssds, ssds);
    keep(KeptState.PINS, "one");
    openAt(List.of(later), List.of(later));
    keep(KeptState.PINS, "two");
    openAt(List.of(failing, full), List.of(failing, full));
    state.keep(PATIENCE_NANOS);
    AtomicBoolean isMoved = new AtomicBoolean();
    AtomicBoolean isFull = new AtomicBoolean(true);
    slow.setFaults((call, path) -> {
      if (path.startsWith(full) && isFull.get() && call == LoggedFileSystem.Call.WRITE) {
        throw new IOException("No space left on device");
      } else if (path.startsWith(failing) && isMoved.get()) {
        throw new IOException("Input/output error");
      }
      isMoved.compareAndSet(false, path.equals(failing.resolve(KeptState.FILE))
          && call == LoggedFileSystem.Call.NAMES);
    });
    changeInVain("three");
    isFull.set(false);
    state.keep(PATIENCE_NANOS);
    slow.setFaults((call, path) -> { });

    openAt(List.of(failing), List.of());
    assertEquals("all that is known", "three", kept(KeptState.PINS));
    for (List<Path> read : List.of(List.of(failing, full), List.of(full, failing))) {
      openAt(read, List.of());
      assertEquals("before it", "one", kept(KeptState.PINS));
    }
    for (List<Path> read : Collections2.permutations(ssds)) {
      openAt(read, List.of());
      assertEquals("on the SSD that was away", "two", kept(KeptState.PINS));
    }
    openAt(ssds, ssds);
    keep(KeptState.PINS, "four");
    for (Path ssd : ssds) {
      String saved = Files.readString(ssd.resolve(KeptState.FILE));
      assertFalse("nothing refused is later: " + saved, saved.contains("refused"));
    }
  }

  private void openAt(List<Path> read, List<Path> used) {
    now.addAndGet(1000);
    state = new KeptState(read, null, PATIENCE_NANOS, now::get);
    state.open(List::of);
    used.forEach(ssd -> state.use(ssd, wear()));
  }

  /** A copy of the pins names only those that may be in a file. */
  @Test
  public void change_isRefusedAgainAndAgain_noSsdCouldWrite_theCopiesDoNotGrow() throws Exception {
    Path ssd = slowSsd();
    keep(KeptState.PINS, "one");
    String before = Files.readString(ssd.resolve(KeptState.FILE));
    slow.setFaults((call, path) -> {
      if (call == LoggedFileSystem.Call.WRITE) {
        throw new IOException("No space left on device");
      }
    });
    for (int i = 0; i < 100; i++) {
      changeInVain("two");
    }
    slow.setFaults((call, path) -> { });
    state.keep(PATIENCE_NANOS);
    assertEquals(before, Files.readString(ssd.resolve(KeptState.FILE)));
  }

  /** The later change would return to the earlier one, which is refused as well. */
  @Test
  public void change_twoAtOnceAreRefused_theOneBeforeThemCounts() throws Exception {
    Path ssd = slowSsd();
    keep(KeptState.PINS, "one");
    permits.drainPermits();
    CompletableFuture<Void> two = CompletableFuture.runAsync(() -> changeInVain("two"));
    LocalCacheCluster.await("a save that hangs", permits::hasQueuedThreads);
    changeInVain("three");
    two.get();
    assertEquals("one", kept(KeptState.PINS));
    String saved = savedAtLast(ssd);
    assertTrue(saved, saved.contains("one"));
    change("four");
  }

  /** Such as {@code ssd replace} of an SSD that never answers again. */
  @Test
  public void use_whileWhatWasThereHangs_isSaved_andWhatComesLateIsReplaced() throws Exception {
    Path ssd = slowSsd();
    permits.drainPermits();
    changeInVain("one");
    LocalCacheCluster.await("a save that hangs", permits::hasQueuedThreads);
    state.leave(ssd, 0);
    slow.setFaults((call, path) -> { });
    state.use(ssd, wear());
    change("two");
    assertEquals(Map.of(), state.failures());
    assertTrue("what was there hangs", permits.hasQueuedThreads());
    String saved = savedAtLast(ssd);
    assertTrue(saved, saved.contains("two"));
  }

  /** The rate limiter saves in clients' threads. */
  @Test
  public void balance_ssdHangs_saveDoesNotWait_isDoneWhenADiskHasIt() throws Exception {
    open();
    for (Path ssd : List.of(first, second)) {
      Path pipe = ssd.resolve(KeptState.FILE);
      Files.deleteIfExists(pipe);
      makePipe(pipe);
    }
    // Only the thread of each place reads: a second one would be left at a pipe that was put aside.
    state = new KeptState(List.of(first, second), null, PATIENCE_NANOS, now::get);
    state.use(first, wear());
    state.use(second, wear());
    CompletableFuture<Void> saved = state.save(Map.of("Balance", 7L));
    assertEquals("known at once", 7, (long) state.load().get(0).get("Balance"));
    assertFalse(saved.isDone());
    LocalCacheCluster.await("a disk answers", () -> {
      for (Path ssd : List.of(first, second)) {
        new RandomAccessFile(ssd.resolve(KeptState.FILE).toFile(), "rw").close();
      }
      return saved.isDone();
    });
  }

  /** The balance of the write budget is awaited until then. */
  @Test
  public void firstSsd_isBlank_andTheExtraDirectoryWasNewsBefore_isTold() throws IOException {
    Path extra = folder.getRoot().toPath().resolve("extra/uuid");
    Files.createDirectory(extra.getParent());
    state = new KeptState(List.of(first), extra, PATIENCE_NANOS, now::get);
    state.open(List::of);
    keep(KeptState.PINS, "one");
    state.keep(PATIENCE_NANOS);
    state = new KeptState(List.of(first), extra, PATIENCE_NANOS, now::get);
    state.use(extra, null);
    state.keep(PATIENCE_NANOS);
    assertEquals("one", kept(KeptState.PINS));
    AtomicBoolean told = new AtomicBoolean();
    state.onFound(() -> told.set(true));
    state.use(first, wear());
    LocalCacheCluster.await("told", told::get);
  }

  @Test
  public void balance_noSsdIsInUse_saveSaysSo() throws Exception {
    CompletableFuture<Void> saved = KeptState.nowhere().save(Map.of("Balance", 7L));
    assertEquals("no SSD is in use to save it on",
        assertThrows(ExecutionException.class, saved::get).getCause().getMessage());
  }

  @Test
  public void damagedCopy_isPutAside_andTheOtherCounts() throws IOException {
    open();
    keep(KeptState.PINS, "one");
    String flipped = Files.readString(first.resolve(KeptState.FILE)).replace("one", "onm");
    for (String damage : List.of("", "{", "[]", "{\"format\": 2}", "{\"format\": 1}", flipped)) {
      Files.writeString(first.resolve(KeptState.FILE), damage);
      open();
      assertEquals(damage, "one", kept(KeptState.PINS));
      state.keep(PATIENCE_NANOS);
      assertEquals(damage, Files.readString(first.resolve(KeptState.FILE + ".unusable")));
      assertTrue(Files.readString(first.resolve(KeptState.FILE)).contains("one"));
    }
    Files.writeString(first.resolve(KeptState.FILE), "{");
    Files.writeString(second.resolve(KeptState.FILE), "{");
    open();
    assertNull(kept(KeptState.PINS));
    assertThrows("no credit for a balance that is lost", IOException.class, () -> state.load());
    keep(KeptState.PINS, "two");
  }

  @Test
  public void written_isOfEachSsdAlone() throws IOException {
    SsdWear one = wear();
    SsdWear other = wear();
    state = new KeptState(List.of(first, second), null, PATIENCE_NANOS, now::get);
    state.open(List::of);
    state.use(first, one);
    state.use(second, other);
    one.wrote(7);
    other.wrote(9);
    state.keep(PATIENCE_NANOS);
    replaceByNew(second);
    SsdWear[] wears = {wear(), wear()};
    state = new KeptState(List.of(first, second), null, PATIENCE_NANOS, now::get);
    state.open(List::of);
    state.use(first, wears[0]);
    state.use(second, wears[1]);
    state.keep(PATIENCE_NANOS);
    assertEquals(7, wears[0].writtenBytes());
    assertEquals("a new one", 0, wears[1].writtenBytes());
  }

  @Test
  public void leave_theCopyStaysAndIsNotWrittenAnyMore() throws IOException {
    open();
    keep(KeptState.PINS, "one");
    state.leave(first, PATIENCE_NANOS);
    keep(KeptState.PINS, "two");
    assertTrue(Files.readString(first.resolve(KeptState.FILE)).contains("one"));
  }

  /** A setting may name SSDs that are not configured, where newer settings are. */
  @Test
  public void open_ssdsThatSettingsName_areReadToo_alsoWhileOneHangs() throws Exception {
    open();
    keep(SETTING, "old");
    state.leave(first, PATIENCE_NANOS);
    keep(SETTING, "new");
    state = new KeptState(List.of(first), null, PATIENCE_NANOS, now::get);
    List<String> known = new ArrayList<>();
    state.open(() -> {
      known.add(kept(SETTING));
      return List.of(first, second);
    });
    assertEquals(List.of("old", "new"), known);
    assertEquals("new", kept(SETTING));

    Path pipe = first.resolve(KeptState.FILE);
    Files.delete(pipe);
    makePipe(pipe);
    state = new KeptState(List.of(first), null, TimeUnit.SECONDS.toNanos(10), now::get);
    try {
      state.open(() -> List.of(second));
      assertEquals("new", kept(SETTING));
    } finally {
      new RandomAccessFile(pipe.toFile(), "rw").close();
    }
  }

  /** Otherwise the command takes longer than its sender waits. */
  @Test
  public void remove_ssdDoesNotAnswer_doesNotWaitAsLongAsForAWrite() throws Exception {
    Path ssd = first.getParent();
    Path pipe = first.resolve(KeptState.FILE);
    state = new KeptState(List.of(first), null, TimeUnit.DAYS.toNanos(1), now::get);
    try (SsdDirectories directories = TestingSsd.openAll(
        TestingSsd.config(1 << 20, ssd), first.getFileName().toString(), state)) {
      makePipe(pipe);
      directories.start(arrived -> { }, departed -> { }, trimmed -> { });
      directories.all().get(0).io().health().hung(Operation.PAGE_READ, PATIENCE_NANOS);
      assertEquals(0, new SsdChanges(directories).remove(ssd));
      assertEquals(List.of(), directories.paths());
    } finally {
      new RandomAccessFile(pipe.toFile(), "rw").close();
    }
  }

  @Test
  public void failures_placeWorksAgain_isForgottenWithTheNextLook() throws IOException {
    Path extra = folder.getRoot().toPath().resolve("pins/uuid");
    Files.createDirectory(extra.getParent());
    state = new KeptState(List.of(first), extra, PATIENCE_NANOS, now::get);
    state.open(List::of);
    state.use(first, wear());
    keep(KeptState.PINS, "one");
    Path file = extra.resolve(KeptState.FILE);
    Files.delete(file);
    Files.createDirectories(file.resolve("in-the-way"));
    keep(KeptState.PINS, "two");
    assertEquals(Set.of(extra), state.failures().keySet());
    FileUtil.fullyDelete(file.toFile());
    state.refresh(first);
    LocalCacheCluster.await("it is saved", () -> state.failures().isEmpty());
    assertTrue(Files.isRegularFile(file));
  }

  @Test
  public void extraDirectory_isMade_andKnowsWhenNoSsdDoes() throws IOException {
    Path extra = folder.getRoot().toPath().resolve("made/pins/uuid");
    for (int i = 0; i < 2; i++) {
      state = new KeptState(List.of(first), extra, PATIENCE_NANOS, now::get);
      state.open(List::of);
      assertEquals(i == 0 ? null : "one", kept(KeptState.PINS));
      state.use(first, wear());
      keep(KeptState.PINS, "one");
      replaceByNew(first);
    }
    assertEquals("rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(extra)));
  }

  /** As version 1.0.0 wrote them. */
  @Test
  public void filesOfVersion1_areTakenOverAndDeleted_oneLogLineForEachSsd() throws IOException {
    Files.writeString(first.resolve("settings.json"), "{\"comment\": \"x\", \"format\": 1, "
        + "\"settings\": {\"dfs.datanode.local.cache.capacity\": {\"value\": \"1g\", "
        + "\"configured\": \"2g\"}}}");
    Files.writeString(first.resolve("pins.json"), "{\"comment\": \"x\", \"rules\": [{\"name\": "
        + "\"pin.a.7\", \"path\": \"/données\", \"action\": \"pin\", \"quota\": 524288}]}");
    Files.writeString(first.resolve("admission"),
        "Balance=-5\nCredit=7\nSequence=3\nWritten=9\nChecksum=1234\n");
    Files.writeString(first.resolve("written"), "4711\n");
    Files.writeString(second.resolve("pins.json"), "{\"rules\": []}");
    Files.setLastModifiedTime(second.resolve("pins.json"), FileTime.fromMillis(1000));
    SsdWear wear = wear();
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(StateOfVersion1.class));
    state = new KeptState(List.of(first), null, PATIENCE_NANOS, System::currentTimeMillis);
    state.open(List::of);
    state.use(first, wear);
    state.use(second, wear());
    state.keep(PATIENCE_NANOS);
    log.stopCapturing();
    assertEquals(log.getOutput(), 2, log.getOutput().lines().count());
    assertEquals("1g", state.get(SETTING).path("value").asText());
    assertEquals("[{\"path\":\"/données\",\"quota\":524288}]", state.get(KeptState.PINS).toString());
    Map<String, Long> balance = state.load().get(0);
    assertEquals(Long.valueOf(-5), balance.get("Balance"));
    assertFalse(balance.containsKey("Sequence"));
    assertEquals(4711, wear.writtenBytes());
    for (Path root : List.of(first, second)) {
      try (var files = Files.list(root)) {
        assertEquals(List.of(root.resolve(KeptState.FILE)), files.toList());
      }
    }
  }

  /** 1.0 was in use for a while, and saved beside the state of this version. */
  @Test
  public void filesOfVersion1_areNewer_count_olderDoNot() throws IOException {
    SsdWear wear = wear();
    wear.restore(4000);
    state = new KeptState(List.of(first), null, PATIENCE_NANOS, now::get);
    state.open(List::of);
    state.use(first, wear);
    keep(KeptState.PINS, "pins");
    keep(SETTING, "setting");
    keep(LocalCacheKeys.ENABLED, "false");
    long saved = Files.getLastModifiedTime(first.resolve(KeptState.FILE)).toMillis();
    Files.writeString(first.resolve("settings.json"),
        "{\"settings\": {\"" + SETTING + "\": \"newer\"}}");
    Files.setLastModifiedTime(first.resolve("settings.json"), FileTime.fromMillis(saved + 1));
    Files.writeString(first.resolve("written"), "711\n");
    Files.setLastModifiedTime(first.resolve("written"), FileTime.fromMillis(saved + 1));
    Files.writeString(first.resolve("pins.json"), "{\"rules\": []}");
    Files.setLastModifiedTime(first.resolve("pins.json"), FileTime.fromMillis(saved));

    wear = wear();
    state = new KeptState(List.of(first), null, PATIENCE_NANOS, now::get);
    state.open(List::of);
    state.use(first, wear);
    state.keep(PATIENCE_NANOS);
    assertEquals("newer", kept(SETTING));
    assertNull("1.0 did not have it", kept(LocalCacheKeys.ENABLED));
    assertEquals("pins", kept(KeptState.PINS));
    assertEquals(4711, wear.writtenBytes());
    try (var files = Files.list(first)) {
      assertEquals(List.of(first.resolve(KeptState.FILE)), files.toList());
    }
  }
}
