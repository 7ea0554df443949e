/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipFile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfslocalcache.admin.DataNodeVerbs.Rules;
import io.hdfslocalcache.plugin.admin.LocalCacheAdminService;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.LoggedLines;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The verbs against two DataNodes with a local cache, through the real RPC. */
public class TestLocalCacheVerbs {
  private static final int PAGE = LocalCacheCluster.PAGE;
  private static final int BLOCK = 4 * PAGE;
  private static final int THRESHOLD = 2;

  @ClassRule
  public static final TemporaryFolder TRACES = new TemporaryFolder();

  private static LocalCacheCluster cluster;
  private static Configuration conf;

  @BeforeClass
  public static void startCluster() throws IOException {
    cluster = LocalCacheCluster.builder().dataNodes(2).blockSize(BLOCK).threshold(THRESHOLD)
        .set(RateLimiterFactory.CLASS_KEY, BucketTimeRateLimit.class.getName())
        .set("dfs.datanode.local.cache.capacity", "1m")
        .set("dfs.datanode.local.cache.trace.directory", TRACES.getRoot()).start();
    conf = cluster.mini().getConfiguration(0);
  }

  @AfterClass
  public static void stopCluster() {
    cluster.close();
  }

  @Test
  public void status_liveNodes_showsStateSsdAndCounters() throws Exception {
    readUntilCached("/status", PAGE);
    CommandResult result = run("status");

    assertEquals(result.toString(), 0, result.exitCode());
    assertEquals(List.of(), result.err());
    assertEquals("DataNodes", 2, result.out().stream().filter(line -> line.endsWith("; on")).count());
    int i = 0;
    while (!result.out().get(i).startsWith(holder("/status") + ": filling ")) {
      i++;
    }
    assertTrue(result.toString(), result.out().get(i + 1).matches(
        "  SSD .*/ssd0: NORMAL, [0-9.]+ KB of 1 MB used, [0-9.]+ KB written"));
    assertTrue(result.toString(), result.out().get(i + 2).matches(
        "  a read waits [0-9.]+ ms for /.*"));
    assertTrue(result.toString(), result.out().get(i + 3).matches(
        "  memory: [0-9.]+ K?B of [0-9.]+ [MG]B used, [0-9]+ pages?"));
    assertTrue(result.toString(), result.out().get(i + 4).matches(
        "  offload [0-9.]+ %, reuse rate [0-9.]+ %; [0-9.]+ [KM]?B read from SSD, "
        + "[0-9.]+ [KM]?B from memory, [0-9.]+ [KM]?B from data volumes"));
    assertTrue(result.toString(), result.out().get(i + 5).matches(
        "  [0-9]+ pages? of [0-9]+ blocks?; [0-9]+ filled, 0 waiting, 0 evicted, "
        + "[0-9]+ invalidated"));
    // Another test provokes errors.
    assertTrue(result.toString(), result.out().get(i + 6).matches("  no errors|  errors: .*"));
  }

  @Test
  public void statusWaitFor_ready_endsAtOnceAndWarmWithATimeout() throws Exception {
    CommandResult ready = run("status", "--wait-for", "ready", address(0));
    assertEquals(ready.toString(), 0, ready.exitCode());
    assertTrue(ready.toString(), ready.out().get(0).startsWith(address(0) + ": filling "));
    CommandResult warm = run("status", "--wait-for", "warm", "--timeout", "1s", address(0));
    assertEquals(1, warm.exitCode());
    assertTrue(warm.toString(), warm.err().get(0).startsWith(
        address(0) + ": is not warm after 1 s: filling "));
    run("off", address(0));
    try {
      CommandResult off = run("status", address(0));
      assertEquals(off.toString(), 3, off.exitCode());
      assertTrue(off.toString(), off.out().get(0).startsWith(address(0) + ": off"));
      CommandResult never = run("status", "--wait-for", "ready", "--timeout", "1h", address(0));
      assertEquals(never.toString(), 1, never.exitCode());
      assertTrue(never.toString(), never.err().get(0).startsWith(address(0) + ": is not ready: off"));
    } finally {
      run("on", address(0));
    }
  }

  @Test
  public void status_json_isOneDocumentWithFailures() throws Exception {
    CommandResult result = run("status", "--json", address(0), "127.0.0.1:1");
    JsonNode all = result.json().get("dataNodes");

    assertEquals(1, result.exitCode());
    assertEquals(address(0), all.get(0).get("dataNode").asText());
    assertTrue(all.get(0).get("status").get("on").asBoolean());
    assertEquals("filling", all.get(0).get("status").get("condition").asText());
    assertTrue(all.get(0).get("status").get("counters").has("Fills"));
    assertEquals(0, all.at("/0/status/counters/ShortCircuitOpens").asLong(-1));
    assertEquals("cannot be reached: Connection refused", all.get(1).get("error").asText());
  }

  @Test
  public void rules_dataNodeWithoutAFile_saysSo() throws Exception {
    run("rules", address(0)).assertDone(address(0) + ": no rules");
    CommandResult result = run("rules", "--reload", address(0));
    assertEquals(1, result.exitCode());
    assertEquals(List.of(address(0) + ": dfs.datanode.local.cache.rules.file: is not set"),
        result.err());
  }

  @Test
  public void rules_text_hasALineForEach() throws Exception {
    JsonNode view = new ObjectMapper().readTree("""
        {"file": "/etc/rules.json", "refusal": "/etc/rules.json:4: no", "blocks": 2, "lookedUp": false,
         "notListed": ["hdfs://a:8020", "hdfs://b:8020"], "rules": [
          {"name": "a", "action": "pin", "quota": 1048576, "pages": 1, "bytes": 20480,
           "reads": 3, "hits": 2, "rejected": 0, "evicted": 4},
          {"name": "b", "action": "never", "quota": null, "pages": 0, "bytes": 0,
           "reads": 0, "hits": 0, "rejected": 0, "evicted": 0}]}""");
    assertEquals(List.of("dn1:9867: /etc/rules.json; 2 blocks on the paths of rules; more are being looked up"
        + "; not all blocks of hdfs://a:8020, hdfs://b:8020 are known",
        "  the file is refused: /etc/rules.json:4: no; in force are:",
        "  a, pin: 1 page, 20 KB of 1 MB; 3 reads, 2 hit; 0 rejected, 4 evicted",
        "  b, never: 0 pages, 0 B; 0 reads, 0 hit; 0 rejected, 0 evicted"),
        Rules.text("dn1:9867", view));
  }

  @Test
  public void trace_startAndStop_leavesAFileOfTheReads() throws Exception {
    String directory = TRACES.getRoot().toString();
    run("trace", "status", address(0)).assertDone(
        address(0) + ": not tracing; directory " + directory + ", 0 B; 0 reads traced, 0 dropped");
    run("trace", "start", address(0), address(1)).assertDone(
        address(0) + ": tracing to " + directory + ", 0 B; 0 reads traced, 0 dropped",
        address(1) + ": tracing to " + directory + ", 0 B; 0 reads traced, 0 dropped");
    assertTrue(run("trace", "start", "--sample", "0.5", address(0)).err().get(0),
        run("trace", "start", "--sample", "0.5", address(0)).err().get(0)
            .contains("stop it first"));
    cluster.write("/traced", PAGE);
    cluster.read("/traced");
    cluster.awaitEndOfReads();
    JsonNode all = run("trace", "stop", "--json").json().get("dataNodes");
    long reads = 0;
    for (JsonNode one : all) {
      assertEquals(false, one.get("trace").get("on").asBoolean());
      reads += one.get("trace").get("reads").asLong();
    }
    assertTrue(all.toString(), reads > 0);
    assertTrue(TRACES.getRoot().list().length > 0);
  }

  @Test
  public void explain_path_showsPagesReadsAndReason() throws Exception {
    cluster.write("/explain", BLOCK + PAGE);
    String before = explain("/explain").get(2);
    assertTrue(before, before.contains(": 0 of 4 pages cached on "));
    assertTrue(before, before.endsWith("/ssd0 (NORMAL), 0 reads counted; "
        + "not admitted: it has to be read more than 2 times within 10 min"));

    readUntilCached("/explain", BLOCK + PAGE);
    List<String> after = explain("/explain");
    assertEquals("/explain", after.get(0));
    assertEquals("  blk_" + id("/explain") + ", 64 KB", after.get(1));
    assertTrue(after.toString(), after.get(2).contains(": 4 of 4 pages cached on "));
    assertTrue(after.toString(), after.get(2).endsWith("/ssd0 (NORMAL), 3 reads counted; "
        + "it was read more than 2 times within 10 min"));
    assertTrue(after.toString(), after.get(4).contains(": 1 of 1 page cached on "));
  }

  @Test
  public void explain_blockId_asksTheNameNodeWhoseItIs() throws Exception {
    cluster.write("/explainId", PAGE);
    long id = id("/explainId");
    for (String name : new String[] {"" + id, "blk_" + id, "blk_" + id + "_1001"}) {
      List<String> lines = explain(name);
      assertEquals("/explainId", lines.get(0));
      assertEquals("  blk_" + id + ", 16 KB", lines.get(1));
      assertEquals(3, lines.size());
    }
  }

  @Test
  public void explain_off_saysSo() throws Exception {
    cluster.write("/explainOff", PAGE);
    int holder = holder("/explainOff").equals(address(0)) ? 0 : 1;
    cluster.interceptor(holder).onOff().setOn(false, "by the test");
    try {
      String line = explain("/explainOff").get(2);
      assertTrue(line, line.endsWith("not admitted: the local cache is off; "
          + "it has to be read more than 2 times within 10 min"));
    } finally {
      cluster.interceptor(holder).onOff().setOn(true, "by the test");
    }
  }

  @Test
  public void explain_noSuchThing_fails() throws Exception {
    run("explain", "/nowhere").assertFailed("/nowhere: no such file or directory");
    run("explain", "blk_1").assertFailed("blk_1: the NameNode does not know this block");
    assertEquals(-1, run("explain", "nowhere").exitCode());
  }

  @Test
  public void blockThatOnlyASnapshotHas_itsFileIsNamedAsDeleted() throws Exception {
    cluster.write("/snapshots/file", PAGE);
    String block = "blk_" + id("/snapshots/file");
    cluster.fs().allowSnapshot(new org.apache.hadoop.fs.Path("/snapshots"));
    cluster.fs().createSnapshot(new org.apache.hadoop.fs.Path("/snapshots"), "s");
    cluster.fs().delete(new org.apache.hadoop.fs.Path("/snapshots/file"), false);
    String deleted = block + ": its file /snapshots/file was deleted; if a snapshot has it, name "
        + "its path there";
    run("explain", block).assertFailed(deleted);
    run("clear", "--block", block).assertFailed(deleted);
    assertEquals("  " + block + ", 16 KB", explain("/snapshots/.snapshot/s/file").get(1));
  }

  @Test
  public void explain_json_hasTheReplicas() throws Exception {
    cluster.write("/explainJson", PAGE);
    JsonNode block = run("explain", "--json", "/explainJson").json().get("blocks").get(0);
    assertEquals("/explainJson", block.get("path").asText());
    assertEquals(PAGE, block.get("replicas").get(0).get("replica").get("length").asInt());
  }

  @Test
  public void top_byPages_largestFirstWithPath() throws Exception {
    readUntilCached("/topSmall", PAGE);
    readUntilCached("/topLarge", BLOCK);
    List<String> lines = run("top", "--n", "1", "--by", "pages").out();

    assertEquals(2, lines.size());
    assertTrue(lines.toString(), lines.get(0).matches(" *READS +PAGES +BLOCK +DATANODE +PATH"));
    // Blocks of other tests may be as large.
    assertTrue(lines.toString(),
        lines.get(1).matches(" *[0-9]+ +4/4 +blk_[0-9]+ +127.0.0.1:[0-9]+ +/.*"));
    JsonNode all = run("top", "--json", "--n", "1000").json().get("blocks");
    long previous = Long.MAX_VALUE;
    boolean found = false;
    for (JsonNode row : all) {
      long reads = row.get("replica").get("reads").asLong();
      assertTrue(all.toString(), reads <= previous);
      previous = reads;
      found |= row.get("path").asText().equals("/topSmall");
    }
    assertTrue(all.toString(), found);
  }

  /** The NameNode names the former path of a block that only a snapshot has. */
  @Test
  public void top_newEmptyFilesHaveThePathsOfDeletedOnes_theOtherPathIsShown() throws Exception {
    try (LocalCacheCluster small = LocalCacheCluster.builder().start()) {
      org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/snapshots");
      for (int i = 0; i < 9; i++) {
        small.write("/snapshots/" + i, PAGE);
        small.readUntilCached("/snapshots/" + i);
      }
      small.fs().allowSnapshot(directory);
      small.fs().createSnapshot(directory, "s");
      for (int i = 0; i < 9; i++) {
        if (i != 4) {
          small.fs().create(new org.apache.hadoop.fs.Path(directory, "" + i), true).close();
        }
      }
      List<String> rows =
          CommandResult.ofVerb(small.mini().getConfiguration(0), "top").out();
      assertEquals(rows.toString(), 1,
          rows.stream().filter(row -> row.endsWith("  /snapshots/4")).count());
    }
  }

  /** Its owner could forge lines. */
  @Test
  public void nameWithLineBreaks_isOneLine() throws Exception {
    String name = "/forged\n      9    4/4  blk_1";
    readUntilCached(name, PAGE);
    readUntilCached("/clears\u001b[2J", PAGE);
    List<String> rows = run("top", "--n", "1000").out();
    assertTrue(rows.toString(), rows.stream().skip(1).allMatch(
        row -> row.matches(" *[0-9]+ +[0-9]+/[0-9]+ +blk_[0-9]{10} +127.0.0.1:[0-9]+ +(-|/.*)")));
    assertEquals(rows.toString(), 1,
        rows.stream().filter(row -> row.endsWith("  /clears\\u001b[2J")).count());
    assertEquals("/forged\\u000a      9    4/4  blk_1", explain(name).get(0));
    assertEquals(name, run("explain", "--json", name).json().at("/blocks/0/path").asText());
  }

  @Test
  public void warm_byAnotherUser_theLogNamesTheVerb() throws Exception {
    cluster.write("/denied", PAGE);
    try (LoggedLines log = LoggedLines.of(LocalCacheAdminService.class.getName())) {
      CommandResult denied = UserGroupInformation.createRemoteUser("mallory")
          .doAs((PrivilegedExceptionAction<CommandResult>) () -> run("warm", "/denied"));
      assertEquals(List.of(holder("/denied") + ": " + Failure.DENIED), denied.err());
      denied = UserGroupInformation.createRemoteUser("mallory")
          .doAs((PrivilegedExceptionAction<CommandResult>) () -> run(
              "status", "--wait-for", "ready", "--timeout", "24h", address(0)));
      assertEquals("at once", List.of(address(0) + ": " + Failure.DENIED), denied.err());
      assertTrue(log.lines().toString(), log.lines().stream().anyMatch(line ->
          line.matches(".*permission denied for command .*\"for\":\"warm\".* of mallory .*")));
    }
  }

  @Test
  public void diagnose_oneDataNodeDoesNotAnswer_archiveHasTheOthersAndWhy() throws Exception {
    File archive = new File(TRACES.getRoot(), "bundle.zip");
    String[] command = {"diagnose", "--seconds", "1", "--out", archive.getPath(), address(0),
        "127.0.0.1:1"};
    readUntilCached("/diagnose-secret-name", PAGE);
    // Pins have a metric for each, whose label has the path.
    assertEquals(0, run("pin", "--quota", "64k", "/diagnose-secret-name", address(0)).exitCode());
    CommandResult result = CommandResult.ofVerb(conf, command);
    run("unpin", "/diagnose-secret-name", address(0));
    assertEquals(Session.FAILED, result.exitCode());
    assertEquals(List.of("written: " + archive), result.out());
    assertEquals("rw-------", PosixFilePermissions.toString(
        Files.getPosixFilePermissions(archive.toPath())));
    try (ZipFile zip = new ZipFile(archive)) {
      assertEquals(4, zip.size());
      assertNotNull(zip.getEntry("127.0.0.1_1-2.error.txt"));
      String name = address(0).replace(':', '_') + "-2.json";
      JsonNode diagnosis = new ObjectMapper().readTree(zip.getInputStream(zip.getEntry(name)));
      assertTrue(diagnosis.toString(), diagnosis.path("metrics").size() > 0);
      assertEquals(1, diagnosis.path("status").path("ssds").size());
      assertFalse(diagnosis.toString().contains("diagnose-secret-name"));
      assertTrue(diagnosis.toString(), diagnosis.toString().matches(
          ".*\"tag[.]Rule[.0-9]*\":\"pin[.][0-9a-f]+\".*"));
    }
    CommandResult.ofVerb(conf, command).assertFailed(archive + ": File exists");
  }

  @Test
  public void clear_path_removesItsPagesOnly() throws Exception {
    readUntilCached("/clear", BLOCK + PAGE);
    readUntilCached("/clearNot", PAGE);
    CommandResult result = run("clear", "--path", "/clear");

    assertEquals(result.toString(), 0, result.exitCode());
    cluster.settleChanges();
    assertEquals(0, pages("/clear"));
    assertEquals(1, pages("/clearNot"));
    assertEquals(5, result.out().stream()
        .mapToInt(line -> Integer.parseInt(line.split(" ")[1])).sum());
    assertArrayEquals(LocalCacheCluster.bytes("/clear".hashCode(), BLOCK + PAGE),
        cluster.read("/clear"));
  }

  @Test
  public void clear_block_removesItsPages() throws Exception {
    readUntilCached("/clearBlock", PAGE);
    run("clear", "--block", "blk_" + id("/clearBlock"))
        .assertDone(holder("/clearBlock")
            + ": 1 page cleared");
    cluster.settleChanges();
    assertEquals(0, pages("/clearBlock"));
    run("clear", "--block", "blk_" + id("/clearBlock")).out()
        .forEach(line -> assertTrue(line, line.endsWith(": 0 pages cleared")));
  }

  @Test
  public void clear_oneDataNode_removesAllOfIt() throws Exception {
    readUntilCached("/clearAll", PAGE);
    CommandResult result = run("clear", holder("/clearAll"));

    assertEquals(result.toString(), 0, result.exitCode());
    assertEquals(0, pages("/clearAll"));
    assertEquals(-1, run("clear").exitCode());
  }

  @Test
  public void clear_noSuchThing_fails() throws Exception {
    run("clear", "--path", "/nowhere").assertFailed("/nowhere: no such file or directory");
    run("clear", "--block", "77").assertFailed("77: the NameNode does not know this block");
  }

  @Test
  public void warm_path_fillsEveryReplicaWithoutARead() throws Exception {
    cluster.write("/warm/a", 2 * BLOCK + 1, (short) 2);
    cluster.write("/warm/b", 0, (short) 2);
    CommandResult result = run("warm", "/warm");

    assertEquals(result.toString(), 0, result.exitCode());
    assertEquals(List.of(sorted(": 9 of 9 pages cached, after N s")),
        result.out().stream().map(line -> line.replaceFirst("after [0-9]+ s", "after N s")).toList());
    for (int i = 0; i < 2; i++) {
      assertNotNull(cluster.cached(i, "/warm/a"));
      assertEquals(4, cluster.cached(i, "/warm/a").pages());
    }
  }

  @Test
  public void warm_ssdIsDown_itsPagesAreNotCounted() throws Exception {
    try (LocalCacheCluster small = LocalCacheCluster.builder().start()) {
      small.write("/down", PAGE);
      small.readUntilCached("/down");
      small.cache(0).directories().all().get(0).io().health().hung(Operation.PAGE_READ, 1);
      CommandResult result =
          CommandResult.ofVerb(small.mini().getConfiguration(0), "warm", "/down");
      assertEquals(result.toString(), 1, result.exitCode());
      assertTrue(result.toString(), result.out().get(0).matches(
          ".*: 0 of 1 page cached, after [0-9]+ s; 1 replica failed"));
    }
  }

  @Test
  public void warm_tooManyBlocks_doesNothing() throws Exception {
    cluster.write("/warmMany", 3 * PAGE / 2 + BLOCK);
    run("warm", "--max-blocks", "1", "/warmMany").assertFailed(
        "/warmMany: has more than 1 block; --max-blocks N raises the limit");
    assertEquals(0, pages("/warmMany"));
  }

  @Test
  public void warm_largerThanTheSsd_doesNothing() throws Exception {
    cluster.write("/warmLarge", 1 << 20, (short) 2);
    long pages = PageLayout.spaceOfBlock(PAGE, BLOCK) * (1 << 20) / BLOCK;
    CommandResult result = run("warm", "/warmLarge");

    assertEquals(1, result.exitCode());
    assertEquals(List.of(sorted(": nothing is filled: the pages of /warmLarge take "
        + Sizes.text(pages) + ", but its local cache holds only 1 MB")), result.err());
    assertEquals(0, pages("/warmLarge"));
  }

  @Test
  public void warm_theOnlySsdIsAbsentOrDrained_saysThat() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    Path mount = builder.directory().resolve("ssd");
    Path pages = mount.resolve("pages");
    try (LocalCacheCluster small =
        builder.set("dfs.datanode.local.cache.directories", pages).start()) {
      small.write("/absent", PAGE);
      Configuration client = small.mini().getConfiguration(0);
      String dataNode = "127.0.0.1:" + small.dataNode(0).getIpcPort();
      CommandResult.ofVerb(client, "warm", "/absent").assertFailed(dataNode
          + ": nothing is filled: SSD " + pages + ": DOWN (directory is missing: " + mount + ")");
      Files.createDirectory(mount);
      CommandResult ready = CommandResult.ofVerb(client, "status", "--wait-for", "ready", dataNode);
      assertEquals(ready.toString(), 0, ready.exitCode());
      CommandResult drain =
          CommandResult.ofVerb(client, "ssd", "drain", pages.toString(), dataNode);
      assertEquals(drain.toString(), 0, drain.exitCode());
      CommandResult.ofVerb(client, "warm", "/absent").assertFailed(dataNode
          + ": nothing is filled: SSD " + pages
          + ": NORMAL (drained: no page is added, all are evicted)");
    }
  }

  @Test
  public void warm_off_fails() throws Exception {
    cluster.write("/warmOff", PAGE);
    String holder = holder("/warmOff");
    run("off", holder);
    try {
      run("warm", "/warmOff").assertFailed(
          holder + ": the local cache is off (until the DataNode restarts)");
    } finally {
      run("on", holder);
    }
    assertEquals(0, pages("/warmOff"));
  }

  @Test
  public void warm_replicaThatCannotBeRead_failsAtOnceAndSaysWhy() throws Exception {
    cluster.write("/warmDamaged", BLOCK);
    int holder = holder("/warmDamaged").equals(address(0)) ? 0 : 1;
    File file = cluster.blockFile(holder, cluster.block("/warmDamaged"));
    byte[] right = Files.readAllBytes(file.toPath());
    Files.write(file.toPath(), new byte[BLOCK]);
    CommandResult result = run("warm", "--timeout", "1h", "/warmDamaged");
    assertEquals(1, result.exitCode());
    assertTrue(result.toString(), result.failures().get(0).endsWith(
        ": the replica cannot be read: data does not match its checksums: page 0 at 0"));
    assertEquals(0, pages("/warmDamaged"));
    Files.write(file.toPath(), right);
    result = run("warm", "/warmDamaged");
    assertEquals("is tried again: " + result, 0, result.exitCode());
    assertEquals(4, pages("/warmDamaged"));
  }

  /** Such as one on a disk that hangs. */
  @Test
  public void warm_replicaWhoseReadDoesNotEnd_isGivenUpAfterTheTimeout() throws Exception {
    cluster.write("/warmHung", PAGE);
    int holder = holder("/warmHung").equals(address(0)) ? 0 : 1;
    File file = cluster.blockFile(holder, cluster.block("/warmHung"));
    Files.delete(file.toPath());
    assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
    CommandResult result = run("warm", "--timeout", "1s", "/warmHung");
    try (FileOutputStream writer = new FileOutputStream(file)) {
      Files.delete(file.toPath());
    }
    assertEquals(1, result.exitCode());
    assertTrue(result.toString(), result.failures().get(0).endsWith("stopped: "
        + "see the DataNode's log and metrics for the reason"));
    cluster.settle();
    assertEquals(0, pages("/warmHung"));
  }

  @Test
  public void warm_oneBlockIsRefused_anotherFailsForAReasonOfItsOwn() throws Exception {
    cluster.write("/warmMixed/a", PAGE, (short) 2);
    cluster.write("/warmMixed/b", PAGE, (short) 2);
    Files.write(cluster.blockFile(0, cluster.block("/warmMixed/a")).toPath(), new byte[PAGE]);
    try (FSDataOutputStream appended =
        cluster.fs().append(new org.apache.hadoop.fs.Path("/warmMixed/b"))) {
      appended.write(1);
      appended.hflush();
      CommandResult result = run("warm", "/warmMixed");
      assertEquals(1, result.exitCode());
      for (String why : List.of("there is no finalized replica on a disk of this DataNode",
          "the replica cannot be read: data does not match its checksums: page 0 at 0")) {
        assertTrue(result.toString(), result.err().stream()
            .anyMatch(line -> line.startsWith(address(0)) && line.endsWith(": " + why)));
      }
    }
  }

  /** Only the DataNode counts pages. */
  @Test
  public void warm_blockThatCannotBeFilledFurther_countsItsPages() throws Exception {
    byte[] bytes = cluster.write("/warmPart", BLOCK);
    int holder = holder("/warmPart").equals(address(0)) ? 0 : 1;
    for (int i = 0; i <= THRESHOLD; i++) {
      cluster.pread("/warmPart", 0, PAGE);
      cluster.settle();
    }
    Files.write(cluster.blockFile(holder, cluster.block("/warmPart")).toPath(),
        Arrays.copyOf(Arrays.copyOf(bytes, PAGE), BLOCK));
    CommandResult result = run("warm", "/warmPart");

    assertEquals(1, result.exitCode());
    assertEquals(1, pages("/warmPart"));
    assertTrue(result.toString(), result.out().get(0)
        .matches(address(holder) + ": 1 of 4 pages cached, after [0-9]+ s; 1 replica failed"));
    assertTrue(result.toString(), result.failures().get(0).endsWith(": page 1 at " + PAGE));
  }

  @Test
  public void anyVerb_noSuperuser_isDenied() throws Exception {
    UserGroupInformation mallory =
        UserGroupInformation.createUserForTesting("mallory", new String[] {"staff"});
    for (String[] args : new String[][] {{"status", address(0)}, {"clear", address(0)},
        {"set", "threshold", "1", address(0)}, {"pin", "/", address(0)},
        {"unpin", "/", address(0)}, {"ssd", "drain", "/ssd/0", address(0)}}) {
      CommandResult result = mallory.doAs(
          (PrivilegedExceptionAction<CommandResult>) () -> run(args));
      result.assertFailed(address(0) + ": access denied: superuser privilege is required");
    }
  }

  @Test
  public void changes_anyOfThem_areInTheDataNodesLog() throws Exception {
    try (LoggedLines log = LoggedLines.of("io.hdfslocalcache.plugin.admin.Commands")) {
      cluster.write("/audit", PAGE);
      run("warm", "/audit");
      run("clear", "--path", "/audit");
      String user = UserGroupInformation.getCurrentUser().getUserName();
      String block = "blk_" + id("/audit");
      for (String what : List.of("warm /audit, 1 replicas", "clear BP-[^ ]*:" + block + ": 1 pages")) {
        assertTrue(log.lines().toString(), log.lines().stream().anyMatch(line -> line.matches(
            ".*" + what + ", by command of " + user + " .*from 127.0.0.1.*")));
      }
    }
  }

  /** A DataNode may have a hundred thousand cached blocks. */
  @Test
  public void warmClearAndDelete_manyBlocks_areOneLineForEachCommandInTheLog() throws Exception {
    for (int i = 0; i < 9; i++) {
      cluster.write("/many/" + i, PAGE, (short) 2);
    }
    List<String> all;
    try (LoggedLines log = LoggedLines.of("io.hdfslocalcache.plugin")) {
      all = log.lines();
      assertEquals(0, run("warm", "/many").exitCode());
      assertEquals(0, run("clear", "--path", "/many").exitCode());
      cluster.settleChanges();
      assertEquals(0, run("warm", "/many").exitCode());
      long before = invalidated();
      cluster.fs().delete(new org.apache.hadoop.fs.Path("/many"), true);
      LocalCacheCluster.await("removal", () -> invalidated() - before == 2 * 9);
      cluster.settleChanges();
    }
    assertFalse(all.toString(), all.toString().contains("blk_"));
    List<String> lines = all.stream().filter(line -> line.contains("command of")).toList();
    assertEquals(lines.toString(), 4,
        lines.stream().filter(line -> line.contains("warm /many, 9 replicas, by ")).count());
    assertEquals(lines.toString(), 2,
        lines.stream().filter(line -> line.contains("clear 9 blocks: 9 pages, by ")).count());
    assertEquals(lines.toString(), 6, lines.size());
  }

  private static long invalidated() {
    return cluster.metrics(0).total(Event.INVALIDATED_PAGES)
        + cluster.metrics(1).total(Event.INVALIDATED_PAGES);
  }

  private static CommandResult run(String... args) throws Exception {
    return CommandResult.ofVerb(conf, args);
  }

  private static List<String> explain(String what) throws Exception {
    CommandResult result = run("explain", what);
    assertEquals(result.toString(), 0, result.exitCode());
    return result.out();
  }

  private static void readUntilCached(String path, int length) throws IOException {
    if (!cluster.fs().exists(new org.apache.hadoop.fs.Path(path))) {
      cluster.write(path, length);
    }
    for (int i = 0; i <= THRESHOLD; i++) {
      cluster.readUntilCached(path);
    }
  }

  private static long id(String path) throws IOException {
    return cluster.block(path).getBlockId();
  }

  /** The pages of the first block, on both DataNodes. */
  private static int pages(String path) throws IOException {
    int pages = 0;
    for (int i = 0; i < 2; i++) {
      pages += cluster.cached(i, path) == null ? 0 : cluster.cached(i, path).pages();
    }
    return pages;
  }

  private static String holder(String path) throws IOException {
    return cluster.blocks(path).get(0).getLocations()[0].getIpcAddr(false);
  }

  private static String address(int dataNode) {
    return "127.0.0.1:" + cluster.dataNode(dataNode).getIpcPort();
  }

  /** One such line for each DataNode. */
  private static String[] sorted(String rest) {
    String[] lines = {address(0) + rest, address(1) + rest};
    Arrays.sort(lines);
    return lines;
  }
}
