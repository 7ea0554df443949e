/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.plugin.config.Capacity;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.LoggedLines;
import io.hdfslocalcache.testing.RootCommand;
import io.hdfslocalcache.testing.TestingConfig;
import io.hdfslocalcache.time.TimeAndThreads;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** An SSD that is added after the start, while something else goes wrong. */
public class TestTakingIn {

  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PATIENCE_SECONDS = 30;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path mount;

  @Before
  public void nameTheMount() throws IOException {
    mount = folder.getRoot().toPath().toRealPath().resolve("ssd");
  }

  private static KeptState keptOn(Path... roots) {
    return new KeptState(List.of(roots), null, TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
  }

  @Test
  public void takeIn_noThreadForTheRestore_isTriedAgain() throws Exception {
    BlockingQueue<SsdDirectory> restored = new LinkedBlockingQueue<>();
    AtomicBoolean hasNoThread = new AtomicBoolean(true);
    Path directory = mount.resolve("pages");
    try (SsdDirectories ssds = TestingSsd.openAll(
        TestingSsd.config(1 << 20, "100ms", directory), "dn-uuid")) {
      ssds.start(ssd -> {
        if (hasNoThread.getAndSet(false)) {
          throw new OutOfMemoryError("unable to create native thread: thrown by a test");
        }
        restored.add(ssd);
      }, ssd -> { }, ssd -> { });
      Files.createDirectory(mount);

      SsdDirectory ssd = restored.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertNotNull("taken in at the second attempt", ssd);
      assertEquals(List.of(ssd), ssds.all());
    }
  }

  /** It may say that the local cache is off. */
  @Test
  public void open_savedStateCannotBeRead_isAbsentUntilItCan() throws Exception {
    Path directory = Files.createDirectories(mount.resolve("pages"));
    Path root = Files.createDirectory(directory.resolve("dn-uuid"));
    // Cannot be read as a file.
    Path file = Files.createDirectory(root.resolve(KeptState.FILE));
    KeptState kept = keptOn(root);
    kept.open(List::of);
    BlockingQueue<JsonNode> known = new LinkedBlockingQueue<>();
    try (SsdDirectories ssds = TestingSsd.openAll(
        TestingSsd.config(1 << 20, "100ms", directory), "dn-uuid", kept)) {
      assertEquals(List.of(), ssds.all());
      String reason = ssds.reports().get(0).reason();
      assertTrue(reason, reason.startsWith("cannot read the saved state " + file + ": "));

      Files.delete(file);
      save(root);
      ssds.start(ssd -> known.add(kept.get(LocalCacheKeys.CAPACITY)), ssd -> { }, ssd -> { });
      JsonNode saved = known.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertNotNull("it was not left locked", saved);
      assertEquals("saved", saved.asText());
    }
  }

  @Test
  public void open_savedStateIsDamaged_isUsedAndSaysSo() throws Exception {
    Path directory = Files.createDirectories(mount.resolve("pages"));
    Path root = Files.createDirectory(directory.resolve("dn-uuid"));
    Files.writeString(root.resolve(KeptState.FILE), "{");
    Path damaged = root.resolve("state.json.unusable");
    KeptState kept = keptOn(root);
    kept.open(List::of);
    try (SsdDirectories ssds = TestingSsd.openAll(
        TestingSsd.config(1 << 20, "1h", directory), "dn-uuid", kept)) {
      SsdReport report = ssds.reports().get(0);
      assertEquals("NORMAL: its saved state was damaged: see " + damaged,
          report.state() + ": " + report.reason());
      ssds.start(ssd -> { }, ssd -> { }, ssd -> { });
      Files.delete(damaged);
      // As of a new SSD.
      new SsdChanges(ssds).replace(directory);
      report = ssds.reports().get(0);
      assertEquals("NORMAL: ", report.state() + ": " + report.reason());
    }
  }

  @Test
  public void open_failsSeveralTimes_warnsOfAnUnwiseDirectoryOnce() throws Exception {
    Path directory = Files.createDirectories(mount.resolve("pages"));
    Files.setPosixFilePermissions(mount, PosixFilePermissions.fromString("rwxrwxr-x"));
    // Cannot be read as a file.
    Path file = Files.createDirectories(directory.resolve("dn-uuid").resolve(KeptState.FILE));
    String warning = mount + " is writable by its group";
    BlockingQueue<SsdDirectory> opened = new LinkedBlockingQueue<>();
    try (LoggedLines log = new LoggedLines(); SsdDirectories ssds = TestingSsd.openAll(
        TestingSsd.config(1 << 20, "100ms", directory), "dn-uuid", keptOn())) {
      assertEquals(List.of(), ssds.all());
      assertEquals(0, log.lines().stream().filter(line -> line.contains(warning)).count());

      Files.delete(file);
      ssds.start(opened::add, ssd -> { }, ssd -> { });
      assertNotNull(opened.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
      assertEquals(1, log.lines().stream().filter(line -> line.contains(warning)).count());
    }
  }

  /** The SSD was absent at the start, was removed by command, and is back. */
  @Test
  public void add_hasSavedState_isReadBeforeTheSsdIsUsed() throws Exception {
    Path directory = mount.resolve("pages");
    Path root = directory.resolve("dn-uuid");
    KeptState kept = keptOn(root);
    kept.open(List::of);
    AtomicReference<JsonNode> known = new AtomicReference<>();
    try (SsdDirectories ssds = TestingSsd.openAll(
        TestingSsd.config(1 << 20, "1h", directory), "dn-uuid", kept)) {
      ssds.start(ssd -> known.set(kept.get(LocalCacheKeys.CAPACITY)), ssd -> { }, ssd -> { });
      SsdChanges changes = new SsdChanges(ssds);
      changes.remove(directory);
      save(root);

      changes.add(directory);
      assertNotNull("known when the SSD is used", known.get());
      assertEquals("saved", known.get().asText());
    }
  }

  @Test
  public void add_savedStateCannotBeRead_isRefused() throws Exception {
    Path root = mount.resolve("pages/dn-uuid");
    KeptState kept = keptOn();
    try (SsdDirectories ssds = TestingSsd.openAll(
        TestingSsd.config(1 << 20, "1h", folder.newFolder().toPath()), "dn-uuid", kept)) {
      ssds.start(ssd -> { }, ssd -> { }, ssd -> { });
      // Cannot be read as a file.
      Path file = Files.createDirectories(root.resolve(KeptState.FILE));
      SsdChanges changes = new SsdChanges(ssds);
      IOException e = assertThrows(IOException.class, () -> changes.add(root.getParent()));
      assertTrue(e.getMessage(),
          e.getMessage().startsWith("cannot read the saved state " + file + ": "));

      Files.delete(file);
      changes.add(root.getParent());
      assertEquals("it was not left locked", 2, ssds.all().size());
    }
  }

  /** What checks it goes on when nobody waits for it any more. */
  @Test
  public void add_checkedTooLate_isPromisedNoSpace() throws Exception {
    Path directory = mount.resolve("pages");
    Files.createDirectory(mount);
    Configuration conf = TestingSsd.conf(1 << 20, folder.newFolder().toPath());
    conf.set(LocalCacheKeys.IO_DEADLINE, "50ms");
    try (SsdDirectories ssds = TestingSsd.openAll(
        TestingConfig.from(conf), "dn-uuid", keptOn())) {
      ssds.start(ssd -> { }, ssd -> { }, ssd -> { });
      try (HeldThreads held = new HeldThreads()) {
        IOException e =
            assertThrows(IOException.class, () -> new SsdChanges(ssds).add(directory));
        assertTrue(e.getMessage(), e.getMessage().startsWith(directory + ": does not answer for "));
        held.letGo();
      }
      assertTrue("the check was done", Files.exists(directory));
      assertEquals(0, ssds.opener().space().promisedTo(directory));
    }
  }

  /** Threads that hang, as if with an SSD, before they do anything. */
  private static final class HeldThreads extends TimeAndThreads implements AutoCloseable {

    private final TimeAndThreads before = replace(this);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    @Override
    public Thread newThread(Runnable task) {
      Thread thread = super.newThread(() -> {
        try {
          letGo.await();
          task.run();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      threads.add(thread);
      return thread;
    }

    /** Lets them go, and waits for their ends. */
    void letGo() throws InterruptedException {
      letGo.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    }

    @Override
    public void close() {
      letGo.countDown();
      replace(before);
    }
  }

  /** Else SSDs that hang could hold all buffers. */
  @Test
  public void add_another_sharesTheBuffersWithTheFirst() throws Exception {
    int half = Math.toIntExact(BufferPool.limitOfJvm(TestingSsd.PAGE) / 2);
    try (SsdDirectories ssds = TestingSsd.openAll(
        TestingSsd.config(1 << 20, "1h", folder.newFolder().toPath()), "dn-uuid", keptOn())) {
      ssds.start(ssd -> { }, ssd -> { }, ssd -> { });
      assertTrue(ssds.all().get(0).writes().hasRoom(half));
      new SsdChanges(ssds).add(folder.newFolder().toPath());
      for (SsdDirectory ssd : ssds.all()) {
        assertFalse(ssd.writes().hasRoom(half / 2 + 1));
        assertTrue(ssd.writes().hasRoom(half / 2));
      }
    }
  }

  @Test
  public void remove_directoryComesBackMeanwhile_isNotTakenIn() throws Exception {
    Path directory = Files.createDirectories(mount.resolve("pages"));
    Path away = directory.resolveSibling("away");
    List<SsdDirectory> arrived = new ArrayList<>();
    AtomicReference<SsdDirectory> left = new AtomicReference<>();
    try (SsdDirectories ssds = TestingSsd.openAll(
        TestingSsd.config(1 << 20, "1h", directory), "dn-uuid")) {
      ssds.start(arrived::add, ssd -> {
        try {
          Files.move(away, directory);
          ssd.probe(System::nanoTime, 1);
          left.set(ssd);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }, ssd -> { });
      SsdDirectory ssd = ssds.all().get(0);
      Files.move(directory, away);
      assertFalse(ssd.isThere());

      new SsdChanges(ssds).remove(directory);
      assertSame("it was back", ssd, left.get());
      assertEquals("only at the start", List.of(ssd), arrived);
    }
  }

  @Test
  public void replace_ssdIsTakenInMeanwhile_replacesThatOne() throws Exception {
    Path directory = Files.createDirectories(mount.resolve("pages"));
    // Cannot be read as a file.
    Path state = Files.createDirectories(directory.resolve("dn-uuid").resolve(KeptState.FILE));
    // Only the check opens it, and waits for a reader.
    Path pipe = Files.createDirectory(directory.resolve("other")).resolve("in_use.lock");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    BlockingQueue<SsdDirectory> taken = new LinkedBlockingQueue<>();
    try (SsdDirectories ssds = TestingSsd.openAll(
        TestingSsd.config(1 << 20, "100ms", directory), "dn-uuid", keptOn())) {
      ssds.start(taken::add, ssd -> { }, ssd -> { });
      FutureTask<Void> replace = new FutureTask<>(() -> {
        new SsdChanges(ssds).replace(directory);
        return null;
      });
      new Thread(replace).start();
      LocalCacheCluster.await("the check", () -> Thread.getAllStackTraces().keySet().stream()
          .anyMatch(thread -> thread.getName().equals("local-cache-check-" + directory)));
      Files.delete(state);
      SsdDirectory first = taken.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertNotNull(first);

      Files.newInputStream(pipe).close();
      replace.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertEquals(1, ssds.all().size());
      assertNotSame(first, ssds.all().get(0));
    }
  }

  private static List<String> tries(Path directory) {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
        .filter(("local-cache-absent-" + directory)::equals).toList();
  }

  /** The SSD answers the first try, which holds its lock, only after it was to be replaced. */
  @Test
  public void replace_whileAnEarlierTryHangs_noneGoesOnWhenThatSucceeds() throws Exception {
    Path directory = Files.createDirectories(mount.resolve("pages"));
    Path state = Files.createDirectories(directory.resolve("dn-uuid").resolve(KeptState.FILE));
    try (SsdDirectories ssds = TestingSsd.openAll(
        TestingSsd.config(1 << 20, "100ms", directory), "dn-uuid", keptOn())) {
      Files.delete(state);
      assertEquals(0, new ProcessBuilder("mkfifo", state.toString()).start().waitFor());
      ssds.start(ssd -> { }, ssd -> { }, ssd -> { });
      assertEquals(List.of(), ssds.all());
      LocalCacheCluster.await("the try that reads the pipe", () -> Thread.getAllStackTraces()
          .entrySet().stream().anyMatch(thread -> Arrays.toString(thread.getValue())
              .contains("KeptState.read") && thread.getKey().getName().contains("absent")));
      assertThrows(IOException.class, () -> new SsdChanges(ssds).replace(directory));
      assertEquals("the next waits for its turn", 2, tries(directory).size());

      Files.newOutputStream(state).close();
      LocalCacheCluster.await("it is in use", () -> ssds.all().size() == 1);
      LocalCacheCluster.await("no more tries", () -> tries(directory).isEmpty());
    }
  }

  @Test
  public void capacity_isChangedWhileAnSsdOpens_isThatOfAll() throws Exception {
    Path first = folder.newFolder("first").toPath().toRealPath();
    Path second = folder.newFolder("second").toPath().toRealPath();
    Path third = folder.newFolder("third").toPath().toRealPath();
    try (SsdDirectories ssds = TestingSsd.openAll(
        TestingSsd.config(1 << 20, "1h", first, third), "dn-uuid")) {
      ssds.start(ssd -> { }, ssd -> { }, ssd -> { });
      SsdDirectory opened = ssds.open(second);
      ssds.changeCapacity(Capacity.ofBytes(2L << 20));
      ssds.begin(opened);
      new SsdChanges(ssds).drain(third);
      assertEquals(Map.of(first, 2L << 20, second, 2L << 20, third, 0L), capacities(ssds));

      ssds.changeCapacity(Capacity.ofBytes(3L << 20));
      assertEquals(Map.of(first, 3L << 20, second, 3L << 20, third, 0L), capacities(ssds));
      new SsdChanges(ssds).add(third);
      assertEquals(
          Map.of(first, 3L << 20, second, 3L << 20, third, 3L << 20), capacities(ssds));
    }
  }

  /** The write budget gives a credit to fill each SSD once, and never takes it back. */
  @Test
  public void replace_capacityInPercent_smallerSsd_isNeverTakenForALargerOne() throws Exception {
    Path large = folder.newFolder("large").toPath().toRealPath();
    Path small = Files.createDirectory(mount);
    RootCommand.mount(small);
    Configuration conf = TestingSsd.conf(1 << 20, large, small);
    conf.set(LocalCacheKeys.CAPACITY, "1%");
    List<Long> told = new ArrayList<>();
    try (SsdDirectories ssds = TestingSsd.openAll(TestingConfig.from(conf), "dn-uuid")) {
      ssds.start(ssd -> { }, ssd -> { }, ssd -> { });
      long both = capacities(ssds).values().stream().mapToLong(bytes -> bytes).sum();
      ssds.tellCapacity((number, bytes) -> told.add(bytes));
      new SsdChanges(ssds).replace(small);
      assertEquals(2, ssds.all().size());
      assertEquals(List.of(), told.stream().filter(bytes -> bytes != both).toList());

      FileUtil.fullyDelete(small.resolve("dn-uuid").toFile());
      Files.createFile(small.resolve("dn-uuid"));
      assertThrows(IOException.class, () -> new SsdChanges(ssds).replace(small));
      assertEquals(1, ssds.all().size());
      assertEquals(List.of(), told.stream().filter(bytes -> bytes != both).toList());
    } finally {
      RootCommand.unmount(small);
    }
  }

  private static Map<Path, Long> capacities(SsdDirectories ssds) {
    return ssds.all().stream()
        .collect(Collectors.toMap(SsdDirectory::path, SsdDirectory::configuredBytes));
  }

  private static void save(Path root) throws IOException {
    Files.createDirectories(root);
    TestingState.write(root.resolve(KeptState.FILE),
        "{\"format\":1,\"" + LocalCacheKeys.CAPACITY + "\":{\"changed\":1,\"value\":\"saved\"}}");
  }

  @Test
  public void tryUntilOpen_errorWithoutAMessage_isTriedAgain() throws Exception {
    BlockingQueue<Path> opened = new LinkedBlockingQueue<>();
    AtomicBoolean isClosed = new AtomicBoolean(true);
    try (AbsentSsds absent = new AbsentSsds(INTERVAL_NANOS)) {
      absent.add(mount, "not mounted", () -> {
        if (isClosed.getAndSet(false)) {
          throw new ClosedChannelException();
        }
        opened.add(mount);
      });
      assertEquals(Map.of(mount, "not mounted"), absent.reasons());
      absent.start();
      assertNotNull(opened.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }
  }
}
