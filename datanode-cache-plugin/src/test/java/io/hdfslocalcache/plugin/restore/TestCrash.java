/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.restore;

import static io.hdfslocalcache.testing.LocalCacheCluster.await;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.metrics.Event;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/**
 * Kills a process with a local cache under load, at random moments and by SIGKILL, does to its files
 * what a loss of unsynced data would have done, and looks at every byte that the next process
 * serves. Prints its seed; to repeat, or for more rounds:
 *
 * <pre>
 *   mvn -pl datanode-cache-plugin -am verify -Dtest=TestCrash \
 *       -Dsurefire.failIfNoSpecifiedTests=false -DargLine="-Dcrash.seed=1 -Dcrash.rounds=100"
 * </pre>
 */
public class TestCrash {

  private static final long SEED = Long.getLong("crash.seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("crash.rounds", 6);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(60 + 60L * ROUNDS);

  private final Random random = new Random(SEED);
  private Path root;
  private long restored;
  private long damaged;

  @Test
  public void killedAtAnyMoment_noWrongByteAfterwards() throws Exception {
    System.out.println("-Dcrash.seed=" + SEED + " -Dcrash.rounds=" + ROUNDS);
    root = folder.getRoot().toPath().toRealPath();
    for (int round = 0; round < ROUNDS; round++) {
      runAndKill(random.nextInt(700));
      if (round % 2 == 1) {
        loseUnsyncedData();
      }
      restartAndCompare();
      if (round % 2 == 1) {
        loseUnsyncedData();
      }
    }
    System.out.println("restored " + restored + " pages, found " + damaged + " damaged");
    assertTrue("pages came back", restored > 0);
    assertTrue("damage was done", damaged > 0 || ROUNDS < 2);
  }

  private void runAndKill(int millis) throws Exception {
    Process process = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
        "-cp", System.getProperty("java.class.path"), CrashingDataNode.class.getName(),
        root.toString(), String.valueOf(random.nextLong()))
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader out = process.inputReader()) {
      assertEquals(CrashingDataNode.READY, out.readLine());
      // The one sleep that is meant: the moment of the kill is to be anywhere.
      Thread.sleep(millis);
      process.destroyForcibly();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    }
    assertNotEquals("wrong bytes before the kill", CrashingDataNode.WRONG_BYTES,
        process.exitValue());
  }

  private List<Path> files(String below) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile)
          .filter(file -> file.toString().contains("/dn-uuid/" + below + "/")).sorted().toList();
    }
  }

  /** Data that was not on the SSD yet is cut off, or zeros; names without files, files without. */
  private void loseUnsyncedData() throws IOException {
    for (Path page : files("LOCAL")) {
      int fate = random.nextInt(8);
      long length = Files.size(page);
      try (FileChannel file = FileChannel.open(page, StandardOpenOption.WRITE)) {
        if (fate == 0) {
          file.truncate((long) (random.nextDouble() * length));
        } else if (fate == 1) {
          int from = (int) (random.nextDouble() * length);
          file.write(ByteBuffer.allocate((int) length - from), from);
        } else if (fate == 2 && length > 1000) {
          file.write(ByteBuffer.allocate(512), random.nextInt((int) length - 600));
        }
      }
      if (fate == 3) {
        Files.delete(page);
      }
    }
    for (int ssd = 0; ssd < 2; ssd++) {
      Path tmp = root.resolve("ssd" + ssd + "/dn-uuid/tmp");
      Files.write(tmp.resolve("left-" + random.nextInt()), new byte[4000]);
    }
  }

  private void restartAndCompare() throws Exception {
    MemoryDataNode dataNode = CrashingDataNode.load(root);
    try (LocalCache cache = dataNode.open(CrashingDataNode.config(root))) {
      cache.blockPoolReady(MemoryDataNode.POOL, 1);
      await("restore", () -> !cache.restore().isInProgress());
      for (int id = 0; id < CrashingDataNode.BLOCKS; id++) {
        dataNode.readAndCompare(cache, MemoryDataNode.key(id));
      }
      await("fills", () -> cache.fills().isIdle());
      checkFiles(dataNode, cache);
      restored += dataNode.metrics.total(Event.RESTORED_PAGES);
      damaged += dataNode.metrics.total(Event.RESTORE_DROPPED_DAMAGED)
          + dataNode.metrics.total(Event.DAMAGED_PAGES);
      cache.shutdownBegins();
    }
  }

  /** What is on the SSDs is what the index knows, and of replicas that there are. */
  private void checkFiles(MemoryDataNode dataNode, LocalCache cache) {
    await("removal of damaged pages", () -> {
      try {
        return files("LOCAL").size() == cache.index().pages();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
    for (int id = 0; id < CrashingDataNode.BLOCKS; id++) {
      BlockKey key = MemoryDataNode.key(id);
      if (cache.index().cached(key) != null) {
        assertEquals(dataNode.snapshot(key), cache.index().cached(key).snapshot());
      }
    }
  }
}
