/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.rules.Pins.PinStatus;
import io.hdfslocalcache.plugin.settings.RuntimeSettings.SettingView;
import io.hdfslocalcache.ratelimit.WriteBudgetRateLimit;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLayoutVersion;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A DataNode with this version's local cache starts on the directories that version 1.0.0 wrote.
 *
 * <p>{@code written-by-1.0.0.tar.gz} has all files of a mini cluster after its stop: {@code dfs} of
 * the NameNode and of one DataNode, and {@code ssd0} of the DataNode's local cache. The cluster ran
 * 1.0.0, as released, with the configuration of {@link #configure}. A client wrote the two
 * {@linkplain #text files}, {@code hdfs localcache pin} pinned one with a quota of 1m, and {@code
 * hdfs localcache set capacity 96m --persist} was run. Each file was read until it was cached.
 */
public class TestUpgradeFromVersion1 extends ClusterFixture {

  private static final List<String> FILES = List.of("/pinned", "/other");
  private static final Set<String> FILES_OF_VERSION_1 =
      Set.of("settings.json", "pins.json", "admission", "written");
  /** Layout versions are negative: Hadoop 3.3 has -66. */
  private static final int NAME_NODE_LAYOUT = -67;
  private static final int LENGTH = 150_000;
  private static final int PAGE = 64 << 10;
  /** Pages in the two blocks of a file. */
  private static final int PAGES = 3;
  /** The initial balance of a new write budget. */
  private static final long NEW_BALANCE = 96 << 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
  private Path home;

  @Before
  public void unpack() throws Exception {
    assumeTrue("the files are of a newer Hadoop",
        NameNodeLayoutVersion.CURRENT_LAYOUT_VERSION <= NAME_NODE_LAYOUT);
    Path directory = builder.directory();
    try (InputStream archive = getClass().getResourceAsStream("/written-by-1.0.0.tar.gz")) {
      FileUtil.unTar(archive, directory.toFile(), true);
    }
    try (Stream<Path> homes = Files.list(directory.resolve("ssd0"))) {
      home = homes.toList().get(0);
    }
    // 1.0.0 has just been stopped: the budget earns nothing for the time since the file was made.
    FileTime now = FileTime.from(Instant.now());
    for (Path file : list(home)) {
      Files.setLastModifiedTime(file, now);
    }
    configure();
  }

  private void configure() {
    builder.withFilesOfAnother().blockSize(128 << 10)
        .set(LocalCacheKeys.PAGE_SIZE, "64k")
        .set(LocalCacheKeys.CAPACITY, "64m")
        .set(WriteBudgetRateLimit.BUDGET_KEY, "16m")
        // Version 1.0 had ghost caches.
        .set("dfs.datanode.local.cache.dry-run.ghosts", "small")
        .set("dfs.datanode.local.cache.dry-run.ghost.small.capacity", "8m");
  }

  private static byte[] text(String file) {
    StringBuilder text = new StringBuilder();
    for (int line = 0; text.length() < LENGTH; line++) {
      text.append("Line ").append(line).append(" of ").append(file).append(".".repeat(40))
          .append('\n');
    }
    return text.substring(0, LENGTH).getBytes(StandardCharsets.US_ASCII);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private String startAndGetLog() throws IOException {
    Logger plugin = LoggerFactory.getLogger("io.hdfslocalcache");
    LogCapturer log = LogCapturer.captureLogs(plugin);
    cluster = builder.start();
    cluster.settle();
    LocalCacheCluster.await("one file for all of them", () -> list(home).stream()
        .noneMatch(file -> FILES_OF_VERSION_1.contains(file.getFileName().toString())));
    log.stopCapturing();
    return log.getOutput();
  }

  private long balance() {
    return cluster.cache(0).limiter().metrics().get("BudgetBalanceBytes");
  }

  private SettingView capacity() {
    return cluster.view(0).status().settings().stream()
        .filter(setting -> setting.key().equals(LocalCacheKeys.CAPACITY))
        .findFirst().orElseThrow();
  }

  @Test
  public void pages_areCleared_logSaysSo_bytesAreRight_andAreCachedAgain() throws Exception {
    assertEquals("pages of 1.0.0", FILES.size() * PAGES, pageFilesBefore());
    String log = startAndGetLog();
    assertTrue(log, log.contains("deleting pages in " + home + ": they have format {"));
    assertEquals(0, cluster.metrics(0).total(Event.RESTORED_PAGES));
    assertEquals(0, cluster.cache(0).index().pages());
    for (String file : FILES) {
      assertArrayEquals(file, text(file), cluster.read(file));
    }
    assertEquals("from the data volumes", 0, cluster.reads(ReadOutcome.HIT));
    for (String file : FILES) {
      cluster.awaitHit(file, text(file));
    }
    assertEquals(0, cluster.metrics(0).errors());
    cluster.restartDataNode(0);
    assertEquals("the next restart is warm", FILES.size() * PAGES,
        cluster.metrics(0).total(Event.RESTORED_PAGES));
  }

  private long pageFilesBefore() throws IOException {
    try (Stream<Path> files = Files.walk(home.resolve("LOCAL/" + PAGE))) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  @Test
  public void pinsSettingsBalanceAndWear_areTakenOver_andInOneFile() throws Exception {
    String written = Files.readString(home.resolve("written")).trim();
    long before = Files.readAllLines(home.resolve("admission")).stream()
        .filter(line -> line.startsWith("Balance="))
        .mapToLong(line -> Long.parseLong(line.substring("Balance=".length())))
        .findFirst().orElseThrow();
    String log = startAndGetLog();
    assertEquals(log, 2, log.split("migrated ").length);
    assertEquals(List.of("/pinned 1048576"), cluster.view(0).pins().pins().stream()
        .map(pin -> pin.path() + " " + pin.quota()).toList());
    assertEquals(new SettingView(LocalCacheKeys.CAPACITY, "96m", "64m", "96m"), capacity());
    long balance = balance();
    assertTrue("balance " + balance, balance >= before && balance < NEW_BALANCE);
    assertEquals("bytes written to the SSD", written,
        new ObjectMapper().readTree(home.resolve("state.json").toFile()).path("written").asText());
    cluster.restartDataNode(0);
    assertEquals("after the next restart", List.of("/pinned"), cluster.view(0).pins().pins().stream()
        .map(PinStatus::path).toList());
    assertEquals("96m", capacity().value());
  }

  @Test
  public void keysThatAreGone_stopNothing_andAreNamedInTheLog() throws Exception {
    String log = startAndGetLog();
    for (String key : List.of("dry-run.ghosts", "dry-run.ghost.small.capacity")) {
      assertTrue(log, log.contains(
          LocalCacheKeys.PREFIX + key + " is not a key of the local cache and has no effect"));
    }
    assertTrue(cluster.view(0).status().on());
  }
}
