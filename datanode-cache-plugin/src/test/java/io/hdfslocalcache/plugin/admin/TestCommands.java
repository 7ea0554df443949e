/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.plugin.admin.BlockStatus.Warming;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.config.TraceConfig;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.rules.Pins.PinStatus;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.settings.RuntimeSettings;
import io.hdfslocalcache.plugin.trace.ReadTrace;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

public class TestCommands {
  private static final BlockKey BLOCK = new BlockKey("BP-1-fe80:0:0-2", -3);
  private static final String NAME = "BP-1-fe80:0:0-2:blk_-3";
  private static final Caller CALLER =
      new Caller(UserGroupInformation.createRemoteUser("admin"), "10.0.0.1");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration(false);
  private final TestingSwitch localCache = new TestingSwitch(true);
  private final LocalCacheView view = mock(LocalCacheView.class);
  private final Commands commands =
      new Commands(conf, localCache, () -> view, null);

  @Before
  public void setUp() {
    when(view.notFilling()).thenReturn("");
  }

  @Test
  public void block_negativeIdAndPoolWithColons_isFound() throws IOException {
    when(view.block(BLOCK)).thenReturn(new BlockStatus(NAME, 1001L, 5L, 1, 1, 1, "/ssd/0", "NORMAL",
        null, true, "every block is admitted", ""));
    assertEquals("[{\"block\":\"" + NAME + "\",\"generationStamp\":1001,\"length\":5,"
        + "\"cachedPages\":1,\"wholePages\":1,\"pages\":1,\"ssd\":\"/ssd/0\",\"ssdState\":\"NORMAL\","
        + "\"reads\":null,\"admitted\":true,\"why\":\"every block is admitted\",\"unreadable\":\"\"}]",
        run("block", "blocks", List.of(NAME)));
  }

  /** Scripts that wait for a DataNode, or watch one, ask several times a second. */
  @Test
  public void status_isNoCommandInTheLog() throws IOException {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(Commands.class));
    try {
      new Commands(conf, localCache, () -> null, null).run(json("status"), CALLER);
      assertFalse(log.getOutput(), log.getOutput().contains("command of"));
      run("top", "n", 1);
      assertTrue(log.getOutput(), log.getOutput().contains("top, command of admin"));
      assertThrows(IllegalArgumentException.class, () -> run("trace", "action", "begin"));
      assertTrue(log.getOutput(), log.getOutput().contains("trace begin, command of admin"));
    } finally {
      log.stopCapturing();
    }
  }

  @Test
  public void change_isOneCommandInTheLog() throws IOException {
    when(view.pin(any(), any())).thenReturn(new PinStatus("/p", 1024, 0, 0, 0, 0, false));
    when(view.set(any(), any(), eq(false)))
        .thenReturn(new RuntimeSettings.Change("key", "1", "2", "1", null, ""));
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(Commands.class));
    try {
      run("pin", "path", "/p", "quota", "1k");
      run("set", "key", "key", "value", "2");
      run("rules", "reload", true);
      run("clear", "all", true);
    } finally {
      log.stopCapturing();
    }
    assertEquals(List.of("pin /p, quota 1 KB", "key = 1 -> 2", "reloading the rules",
        "clear all: 0 pages"), log.getOutput().lines().filter(line -> line.contains("command of"))
        .map(line -> line.replaceFirst("Local cache: (.*), by command of .*", "$1")).toList());
  }

  @Test
  public void top_orderIsReadsUnlessNamed() throws IOException {
    when(view.top(3, LocalCacheView.Order.READS)).thenReturn(List.of());
    assertEquals("[]", run("top", "n", 3));
    verify(view).top(3, LocalCacheView.Order.READS);
    run("top", "n", 1000, "by", "pages");
    verify(view).top(1000, LocalCacheView.Order.PAGES);
  }

  @Test
  public void traceStart_withOptions_isStartedSo() throws IOException {
    TraceConfig config = new TraceConfig(folder.getRoot().toPath(), 1 << 20);
    try (ReadTrace trace = new ReadTrace(config, "datanode-1", new LocalCacheMetrics())) {
      Commands traced = new Commands(conf, localCache, () -> null, trace);
      String started =
          traced.run(
          json("trace", "action", "start", "sample", 0.25, "anonymous", true), CALLER);
      assertTrue(started, started.contains("\"sample\":0.25,\"anonymous\":true"));
      for (Object sample : List.of(0, 1.5, "much", true, List.of())) {
        assertThrows(String.valueOf(sample), IllegalArgumentException.class,
            () -> traced.run(json("trace", "action", "start", "sample", sample), CALLER));
      }
      assertThrows("in another way", IllegalArgumentException.class,
          () -> traced.run(json("trace", "action", "start"), CALLER));
      assertTrue(traced.run(json("trace", "action", "stop"), CALLER).contains("\"on\":false"));
      assertTrue(traced.run(json("trace", "action", "start"), CALLER)
          .contains("\"sample\":1.0,\"anonymous\":false"));
    }
  }

  @Test
  public void diagnose_beforeThereIsAnSsd_hasSettingsThreadsAndJarsButNoSecrets()
      throws IOException {
    conf.set(LocalCacheKeys.CAPACITY, "17g");
    conf.set("dfs.some.password", "secret");
    JsonNode diagnosis = new ObjectMapper().readTree(
        new Commands(conf, localCache, () -> null, null)
            .run(json("diagnose"), CALLER));
    assertEquals("17g", diagnosis.at("/configuration").path(LocalCacheKeys.CAPACITY).asText());
    assertEquals(LocalCacheKeys.defaults().get(LocalCacheKeys.PAGE_SIZE),
        diagnosis.at("/configuration").path(LocalCacheKeys.PAGE_SIZE).asText());
    assertTrue(diagnosis.path("status").path("on").asBoolean());
    assertTrue("this thread runs the local cache's code", String.valueOf(diagnosis.path("threads"))
        .contains(getClass().getName()));
    assertTrue(String.valueOf(diagnosis.path("installed")), String.valueOf(
        diagnosis.path("installed")).contains("SHA-256"));
    assertTrue(diagnosis.path("system").path("/proc/self/limits").size() > 0);
    assertFalse(diagnosis.toString().contains("secret"));
  }

  @Test
  public void wrongArguments_nothingIsDone() {
    assertRefused("the local cache of this DataNode does not know the command dance", "dance");
    assertRefused("the local cache of this DataNode does not know now of status", "status", "now", 1);
    assertRefused("expected a whole number for n", "top");
    assertRefused("expected a whole number for n", "top", "n", 1.5);
    for (Object n : List.of(1001, -1, 99999999999L)) {
      assertRefused("expected 1 to 1000 blocks, got: " + n, "top", "n", n);
    }
    assertRefused("expected reads or pages, got: size", "top", "n", 1, "by", "size");
    assertRefused("expected a list for blocks", "clear");
    assertRefused("expected true or false for all", "clear", "all", "yes");
    assertRefused("expected a list of texts for blocks", "clear", "blocks", List.of(1));
    assertRefused("expected 1 to 1000 blocks, got 0", "clear", "blocks", List.of());
    for (String name : List.of("all of it", "blk_3", ":blk_3", "BP-1:blk_", "BP-1:blk_x", "")) {
      assertRefused("expected a block such as BP-1-10.0.0.1-2:blk_3, got: " + name,
          "clear", "blocks", List.of(NAME, name));
    }
    assertRefused("expected 1 to 1000 blocks, got 1001",
        "warm", "blocks", Collections.nCopies(1001, NAME));
    for (String text : List.of("{", "{}", "{\"command\":1}", "[]", "null", "")) {
      assertThrows(text, IllegalArgumentException.class, () -> commands.run(text, CALLER));
    }
    verifyNoInteractions(view);
  }

  /** A run of {@code warm} sends a command for a few blocks at a time, and repeats it while it is told BUSY. */
  @Test
  public void warm_manyBlocks_isOneLineInTheLog() throws IOException {
    when(view.status()).thenReturn(CacheStatus.closed(localCache));
    when(view.condition()).thenReturn(Condition.closed(localCache));
    when(view.warm(any())).thenReturn(new Warming(NAME, Warming.State.BUSY, "spent", 0, 1));
    assertEquals(List.of("warm /table, 3 replicas"), loggedAtInfo(() -> {
      run("status", "for", "warm", "path", "/table", "replicas", 3);
      for (int i = 0; i < 6; i++) {
        run("warm", "blocks", List.of(NAME, "BP-1:blk_8"));
      }
    }));
  }

  @Test
  public void clear_manyBlocks_isOneLineInTheLog() throws IOException {
    when(view.clear(any(), any())).thenReturn(2);
    assertEquals(List.of("clear 3 blocks: 6 pages", "clear " + NAME + ": 2 pages"), loggedAtInfo(() -> {
      run("clear", "blocks", List.of(NAME, "BP-1:blk_8", "BP-1:blk_9"));
      run("clear", "blocks", List.of(NAME));
    }));
  }

  private interface Run {
    void run() throws IOException;
  }

  /** @return what was done, from the log of a DataNode that is not being debugged. */
  private static List<String> loggedAtInfo(Run run) throws IOException {
    Logger logger = LoggerFactory.getLogger(Commands.class);
    GenericTestUtils.setLogLevel(logger, Level.INFO);
    LogCapturer log = LogCapturer.captureLogs(logger);
    try {
      run.run();
    } finally {
      log.stopCapturing();
      GenericTestUtils.setLogLevel(logger, Level.DEBUG);
    }
    return log.getOutput().lines()
        .map(line -> line.replaceFirst("Local cache: (.*), by command of .*", "$1")).toList();
  }

  /** Input cannot forge log lines. */
  @Test
  public void lineBreaksAndLength_neverReachTheLog() throws IOException {
    String forged = "\n2026-11-22 INFO forged " + "x".repeat(1 << 16);
    BlockKey block = new BlockKey("BP" + forged, 1);
    String name = "BP" + forged + ":blk_1";
    when(view.warm(block)).thenReturn(new Warming(name, Warming.State.REFUSED, "no", 0, 0));
    when(view.status()).thenReturn(CacheStatus.closed(localCache));
    when(view.condition()).thenReturn(Condition.closed(localCache));
    when(view.pin(any(), any())).thenReturn(new PinStatus("/p" + forged, 1, 0, 0, 0, 0, false));
    when(view.set(any(), any(), eq(false)))
        .thenReturn(new RuntimeSettings.Change("key", forged, forged, forged, null, ""));
    Caller caller = new Caller(UserGroupInformation.createRemoteUser("admin" + forged), "10.0.0.1");
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(Commands.class));
    try {
      for (String command : List.of(json("warm", "blocks", List.of(name)),
          json("clear", "blocks", List.of(name)), json("pin", "path", "/p" + forged, "quota", "1"),
          json("set", "key", "key", "value", forged),
          json("status", "for", forged, "path", "/p" + forged, "replicas", 1))) {
        commands.run(command, caller);
      }
    } finally {
      log.stopCapturing();
    }
    List<String> lines = log.getOutput().lines().toList();
    // One line for debugging, and one for what was done.
    assertEquals(10, lines.size());
    for (String line : lines) {
      assertTrue(line, line.startsWith("Local cache: ") && line.length() < 1500);
    }
  }

  @Test
  public void noSsdYet_onlyTheStatusIsKnown() throws IOException {
    localCache.describeAs("(no directory)");
    conf.set("dfs.datanode.local.cache.capacity", "1g");
    conf.set("dfs.replication", "3");
    Commands starting = new Commands(conf, localCache, () -> null, null);
    String status = starting.run(json("status"), CALLER);
    assertTrue(status, status.startsWith(
        "{\"condition\":\"starting\",\"conditionDetail\":\"" + OnOff.STARTING
        + "\",\"normal\":false,\"restoreMillis\":0,\"on\":true,\"note\":\"(no directory)\",\"pages\":0"));
    assertTrue(status, status.endsWith(
        "\"configuration\":{\"dfs.datanode.local.cache.capacity\":\"1g\"}}"));
    assertEquals("the DataNode is still starting: waiting for its NameNode, then for the SSDs",
        assertThrows(IllegalArgumentException.class,
            () -> starting.run(json("clear", "all", true), CALLER)).getMessage());
  }

  private String run(String command, Object... arguments) throws IOException {
    return commands.run(json(command, arguments), CALLER);
  }

  private void assertRefused(String why, String command, Object... arguments) {
    assertEquals(why, assertThrows(IllegalArgumentException.class,
        () -> run(command, arguments)).getMessage());
  }

  /** @param arguments names and values in turn */
  private static String json(String command, Object... arguments) throws IOException {
    Map<String, Object> object = new HashMap<>(Map.of("command", command));
    for (int i = 0; i < arguments.length; i += 2) {
      object.put((String) arguments[i], arguments[i + 1]);
    }
    return new ObjectMapper().writeValueAsString(object);
  }
}
