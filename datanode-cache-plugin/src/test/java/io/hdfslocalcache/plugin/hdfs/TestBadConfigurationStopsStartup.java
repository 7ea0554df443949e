/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.config.BadConfigurationException;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.BlockReaderInterceptor;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.util.StringUtils;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.slf4j.LoggerFactory;

/** A DataNode with a wrong setting does not start, and says in one line what is wrong. */
public class TestBadConfigurationStopsStartup {

  private static LocalCacheCluster cluster;

  @BeforeClass
  public static void start() throws Exception {
    cluster = LocalCacheCluster.builder().dataNodes(0).start();
  }

  @AfterClass
  public static void stop() {
    cluster.close();
  }

  /** @param allowed words of the message that say what is allowed */
  private static void assertRefused(String key, String value, String allowed) {
    assertRefused(new Configuration(cluster.mini().getConfiguration(0)), key, value, allowed);
  }

  private static void assertRefused(Configuration conf, String key, String value,
      String allowed) {
    conf.set(key, value);
    MiniDFSCluster mini = cluster.mini();
    IOException refusal = null;
    try {
      mini.startDataNodes(conf, 1, true, null, null);
    } catch (IOException e) {
      refusal = e;
    }
    assertNotNull("started with " + key + " = " + value, refusal);
    String message = refusal.getMessage();
    assertTrue(message, message.contains(key + " = " + value)
        || message.contains(key) && message.contains(value));
    assertTrue(message, message.contains(allowed));
    assertFalse("more than a line: " + message, message.contains("\n"));
    if (refusal instanceof BadConfigurationException
        || key.equals(BlockReaderInterceptor.CLASS_KEY)) {
      assertEquals("what the DataNode's log has of it",
          1, StringUtils.stringifyException(refusal).lines().count());
    }
  }

  @Test
  public void misspeltKey_isNoReasonToStopButIsInTheLog() throws Exception {
    Configuration conf = new Configuration(cluster.mini().getConfiguration(0));
    conf.set(LocalCacheKeys.PREFIX + "reservd", "1g");
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(LocalCacheInterceptor.class));
    try {
      new LocalCacheInterceptor(PageLayout.ALIGNMENT).read(conf);
    } finally {
      log.stopCapturing();
    }
    assertTrue(log.getOutput(), log.getOutput().contains(LocalCacheKeys.PREFIX + "reservd is not "
        + "a key of the local cache and has no effect; the most similar is "
        + LocalCacheKeys.RESERVED));
  }

  /** The check of a configuration reads them, too. */
  @Test
  public void keysOfHdfsThatItCannotRead_areNamedBesideTheOthers() {
    Configuration conf = new Configuration(cluster.mini().getConfiguration(0));
    conf.set(DFSConfigKeys.DFS_DATANODE_SLOW_IO_WARNING_THRESHOLD_KEY, "often");
    conf.set(LocalCacheKeys.RESTORE, "perhaps");
    conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, "[SSSD]/data/1");
    String message = assertThrows(BadConfigurationException.class,
        () -> StartConfig.read(conf, PageLayout.ALIGNMENT)).getMessage();
    assertTrue(message, message.contains(DFSConfigKeys.DFS_DATANODE_SLOW_IO_WARNING_THRESHOLD_KEY
        + " = often: must be a number of milliseconds"));
    assertTrue(message, message.contains(LocalCacheKeys.RESTORE + " = perhaps"));
    assertTrue(message, message.contains(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY
        + " = [SSSD]/data/1: must be directories that the DataNode can use, each alone or after one "
        + "of the types [RAM_DISK, SSD, DISK, ARCHIVE"));
  }

  @Test
  public void valueThatIsNotAllowed() throws Exception {
    Path file = Files.createFile(cluster.directory().resolve("file"));
    Path rules = Files.writeString(cluster.directory().resolve("rules.json"),
        "{\"rules\": [\n  {\"name\": \"a\", \"path\": \"/a\", \"action\": \"often\"}]}");
    String[][] keyValueAllowed = {
        {BlockReaderInterceptor.CLASS_KEY, "no.such.Class", "class path"},
        {BlockReaderInterceptor.CLASS_KEY, "java.lang.String", "implements"},
        {RateLimiterFactory.CLASS_KEY, "no.such.Limiter", "CacheRateLimiter"},
        {BucketTimeRateLimit.THRESHOLD_KEY, "-1", "0"},
        {BucketTimeRateLimit.WINDOW_KEY, "90s", "whole number of minutes"},
        {LocalCacheKeys.ENABLED, "yes", "true or false"},
        {LocalCacheKeys.DRY_RUN, "perhaps", "true or false"},
        {LocalCacheKeys.MEMORY_DIRECTORY, "shm", "an absolute path"},
        {LocalCacheKeys.PAGE_SIZE, "100000", "multiple of 4096"},
        {LocalCacheKeys.PAGE_SIZE, "big", "number of bytes"},
        {LocalCacheKeys.CAPACITY, "4k", "at least"},
        {LocalCacheKeys.FILL_RATE, "1", "at least 1048576"},
        {LocalCacheKeys.DIRECTORIES, "", "at least one"},
        {LocalCacheKeys.DIRECTORIES, "ssd", "absolute"},
        {LocalCacheKeys.DIRECTORIES, file.resolve("ssd").toString(), "create"},
        {LocalCacheKeys.DIRECTORIES, file.toString(), "must be a directory"},
        {LocalCacheKeys.DIRECTORIES, cluster.mini().getDataDirectory() + "/data1/ssd",
            "dfs.datanode.data.dir"},
        {LocalCacheKeys.RULES_FILE, file + ".missing", "cannot be read"},
        {LocalCacheKeys.RULES_FILE, "rules.json", "absolute path"},
        {LocalCacheKeys.RULES_FILE, rules.toString(), ":2: action must be never"},
        {LocalCacheKeys.RULES_INTERVAL, "often", "time from 1s to 7d"},
        {LocalCacheKeys.RULES_INTERVAL, "10", "without one, in milliseconds"}};
    for (String[] row : keyValueAllowed) {
      assertRefused(row[0], row[1], row[2]);
    }
  }

  @Test
  public void pageSizeOutOfRange() {
    assertRefused(LocalCacheKeys.PAGE_SIZE, "16m", "from 65536 (64k) to 8388608 (8m)");
    assertRefused(LocalCacheKeys.PAGE_SIZE, "8392704", "from 65536 (64k) to 8388608 (8m)");
    Configuration conf = new Configuration(cluster.mini().getConfiguration(0));
    conf.set(BlockReaderInterceptor.CLASS_KEY, LocalCacheInterceptor.class.getName());
    assertRefused(
        conf, LocalCacheKeys.PAGE_SIZE, "60k", "from 65536 (64k) to 8388608 (8m)");
  }

  @Test
  public void dryRunWithoutACapacityInBytes() {
    Configuration conf = new Configuration(cluster.mini().getConfiguration(0));
    conf.setBoolean(LocalCacheKeys.DRY_RUN, true);
    assertRefused(conf, LocalCacheKeys.CAPACITY, "", "number of bytes");
    assertRefused(conf, LocalCacheKeys.CAPACITY, "80%", "number of bytes");
  }
}
