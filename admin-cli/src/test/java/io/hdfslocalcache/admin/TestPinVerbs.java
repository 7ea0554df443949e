/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.health.SsdHealth;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.rules.BlockLister;
import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** {@code pin} and {@code unpin} on two DataNodes with a local cache. */
public class TestPinVerbs {
  private static final int PAGE = LocalCacheCluster.PAGE;
  /** Room for 51 pages. */
  private static final String CAPACITY = "1m";

  private static LocalCacheCluster cluster;
  private static Configuration conf;

  @BeforeClass
  public static void startCluster() throws IOException {
    cluster = LocalCacheCluster.builder().dataNodes(2)
        .set("dfs.datanode.local.cache.capacity", CAPACITY).start();
    conf = new Configuration(cluster.mini().getConfiguration(0));
    cluster.write("/table/a", 3 * PAGE, (short) 2);
    cluster.write("/large", 40 * PAGE, (short) 2);
  }

  @AfterClass
  public static void stopCluster() {
    cluster.close();
  }

  @Test
  public void pin_path_itsPagesAreCountedAndUnpinned() throws Exception {
    run("warm", "/table");
    CommandResult result = run("pin", "--quota", "256k", "/table", address(0), address(1));
    assertEquals(result.toString(), 0, result.exitCode());
    String pinned = ": /table is pinned, quota 256 KB; 3 pages cached, "
        + "60 KB of 60 KB for 1 replica";
    assertEquals(List.of(address(0) + pinned, address(1) + pinned), result.out());
    List<String> rules = run("rules", address(0)).out();
    assertEquals(address(0) + ": no file; 1 block on the paths of rules", rules.get(0));
    assertTrue(rules.get(1),
        rules.get(1).matches("  pin\\.table\\.[0-9a-f]+ \\(/table\\), pin: 3 pages, 60 KB of 256 KB; .*"));
    assertTrue(run("explain", "/table/a").out().get(2).contains(" counted; rule pin.table."));

    String unpinned = ": /table is no longer pinned; its 3 pages, 60 KB, can be evicted now";
    run("unpin", "/table", address(0)).assertDone(address(0) + unpinned);
    // As after a command that one did not get, because it was down.
    String set = "pins = /table, saved for restarts, configured is none";
    assertTrue(run("status", address(1)).out().contains("  set: " + set));
    List<String> summary = run("status", "--summary").out();
    assertTrue(summary.toString(), summary.contains("  " + set + ": " + address(1)));
    assertTrue(summary.toString(), summary.contains("  pins = /table: " + address(1)));
    run("unpin", "/table", address(1)).assertDone(address(1) + unpinned);
    run("unpin", "/table", address(0), address(1)).assertFailed(
        address(0) + ": /table: not pinned", address(1) + ": /table: not pinned");
    run("rules", address(0)).assertDone(address(0) + ": no rules");
  }

  @Test
  public void pin_oneFailsWhileAnotherLooksUpBlocks_theProgressCountsIt() throws Exception {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        StandIn looking = StandIn.answering(conf, 0, "{\"lookedUp\": false}")) {
      String closed = "127.0.0.1:" + free.getLocalPort();
      free.close();
      CommandResult pin = run("pin", "--timeout", "15s", "/table", closed, looking.address());
      assertEquals(pin.toString(), 1, pin.exitCode());
      assertEquals(List.of(closed + ": cannot be reached: Connection refused",
          looking.address() + ": is pinned, but the DataNode does not know the blocks of the path "
              + "yet; see its log for errors of the NameNode"), pin.failures());
      assertTrue(pin.toString(), pin.err().contains("0 of 2 DataNodes done, 1 failed"));
    }
  }

  @Test
  public void pin_withoutQuota_isATenthAndSaysWhatIsTooMuch() throws Exception {
    try {
      JsonNode all = run("pin", "--json", "/large", address(0)).json().get("dataNodes");
      assertEquals((1 << 20) / 10, all.get(0).get("pin").get("quota").asInt());
      assertTrue(run("pin", "/large/", address(0)).out().get(0)
          .endsWith("of 800 KB for 1 replica; more than the quota: once that is full, its pages evict "
              + "each other, and wear the SSD"));
      assertTrue(run("warm", "/large").err().contains(address(0) + ": nothing is filled: the pages of /large take "
          + Sizes.text(PageLayout.spaceOfBlock(PAGE, 640 << 10)) + ", but the pin of /large holds "
          + "only 102.4 KB"));
      assertTrue("a path above it",
          run("warm", "/").err().toString().contains("nothing is filled: the pages of /large take "));
    } finally {
      run("unpin", "/large", address(0));
    }
  }

  @Test
  public void pin_whileOff_saysWhyNothingIsFilled() throws Exception {
    cluster.write("/cold", PAGE, (short) 2);
    run("off", address(0));
    try {
      JsonNode answer = run("pin", "--json", "/cold", address(0)).json().at("/dataNodes/0");
      assertEquals(1, answer.at("/pin/replicas").asInt());
      assertEquals("the local cache is off", answer.path("notFilling").asText());
      String pinned = run("pin", "/cold", address(0)).out().get(0);
      assertTrue(pinned, pinned.endsWith(" for 1 replica; not filling: the local cache is off"));
    } finally {
      run("on", address(0));
      run("unpin", "/cold", address(0));
    }
  }

  @Test
  public void setCapacity_lessThanTheQuotas_andPinAgain_sayIt() throws Exception {
    cluster.write("/small", PAGE, (short) 2);
    String tooMuch = "all pins have 400 KB, which is more than the 300 KB that the local cache holds";
    try {
      run("pin", "--quota", "400k", "/small", address(0));
      String changed = run("set", "capacity", "300k", address(0)).toString();
      assertTrue(changed, changed.contains(tooMuch));
      CommandResult again = run("pin", "/small", address(0));
      assertEquals(again.toString(), 0, again.exitCode());
      assertTrue(again.toString(), again.out().get(0).endsWith("; " + tooMuch));
    } finally {
      run("set", "capacity", CAPACITY, address(0));
      run("unpin", "/small", address(0));
    }
  }

  @Test
  public void clear_pagesOfASsdThatIsDown_failsAndNamesIt() throws Exception {
    cluster.write("/gone", PAGE, (short) 2);
    run("warm", "/gone");
    takeDown();
    try {
      CommandResult result = run("clear", "--path", "/gone");
      assertEquals(result.toString(), 1, result.exitCode());
      assertEquals(List.of(address(1) + ": 1 page cleared"), result.out());
      String failed = result.err().get(result.err().size() - 1);
      assertTrue(failed, failed.startsWith(
          address(0) + ": 1 page cleared, but may come back: ") && failed.contains("unplugged"));
      assertEquals("they may still come back", 1, run("clear", "--path", "/gone").exitCode());
    } finally {
      awaitNormal();
    }
  }

  @Test
  public void warm_moreThanItHolds_namesTheSsdThatIsDown() throws Exception {
    cluster.write("/tooLarge", 2 << 20, (short) 2);
    takeDown();
    try {
      List<String> refused = run("warm", "/tooLarge").err();
      assertTrue(refused.toString(), refused.stream().anyMatch(
          line -> line.contains(" holds only 1 MB; SSD ") && line.contains("unplugged")));
    } finally {
      cluster.mini().getFileSystem().delete(new Path("/tooLarge"), false);
      awaitNormal();
    }
  }

  private static void takeDown() {
    SsdHealth health = cluster.cache(0).directories().all().get(0).io().health();
    // The next probe is ten seconds away.
    health.hung(Operation.PAGE_READ, 1);
    health.lost("unplugged");
  }

  private static void awaitNormal() {
    LocalCacheCluster.await("a probe", () ->
        cluster.cache(0).directories().all().get(0).io().health().state().isFillable());
  }

  /** The pages are not served. */
  @Test
  public void pin_allPagesAreOnASsdThatIsDown_namesIt() throws Exception {
    cluster.write("/lost", PAGE, (short) 2);
    run("warm", "/lost");
    takeDown();
    try {
      String pinned = run("pin", "/lost", address(0)).out().get(0);
      assertTrue(pinned, pinned.contains("1 page cached, 20 KB of 20 KB for 1 replica; not filling: "));
      assertTrue(pinned, pinned.endsWith("unplugged"));
    } finally {
      run("unpin", "/lost", address(0));
      awaitNormal();
    }
  }

  @Test
  public void pinAndWarm_quotaThatTakesNotQuiteAllPages_haveAllDigits() throws Exception {
    int length = 3 * PAGE;
    cluster.write("/alike", length, (short) 2);
    long needed = PageLayout.spaceOfBlock(PAGE, length);
    String pages = String.format(Locale.ROOT, "%,d B", needed);
    String quota = String.format(Locale.ROOT, "%,d B", needed - 7);
    try {
      String pinned = run("pin", "--quota", "" + (needed - 7), "/alike", address(0)).out().get(0);
      assertTrue(pinned, pinned.contains("/alike is pinned, quota " + quota + "; "));
      assertTrue(pinned, pinned.contains(" of " + pages + " for 1 replica; more than"));
      assertTrue(run("warm", "/alike").err().contains(address(0)
          + ": nothing is filled: the pages of /alike take " + pages + ", but the pin of /alike holds only " + quota));
    } finally {
      run("unpin", "/alike", address(0));
    }
  }

  @Test
  public void warm_replicasOnSsdsOfHdfs_countForNoCapacityAndNoQuota() throws Exception {
    try (LocalCacheCluster mixed = LocalCacheCluster.builder()
        .storageTypes(StorageType.DISK, StorageType.SSD)
        .set("dfs.datanode.local.cache.capacity", CAPACITY).start()) {
      mixed.fs().mkdirs(new Path("/s"));
      mixed.fs().setStoragePolicy(new Path("/s"), "ALL_SSD");
      mixed.write("/s/big", 2 << 20);
      mixed.write("/disk", PAGE);
      Configuration client = mixed.mini().getConfiguration(0);
      String dataNode = "127.0.0.1:" + mixed.dataNode(0).getIpcPort();
      CommandResult warm = CommandResult.ofVerb(client, "warm", "/");
      assertEquals(warm.toString(), 0, warm.exitCode());
      assertTrue(warm.toString(),
          warm.out().get(0).startsWith(dataNode + ": 1 of 1 page cached, after "));
      CommandResult.ofVerb(client, "pin", "--quota", "64k", "/s", dataNode);
      warm = CommandResult.ofVerb(client, "warm", "/s");
      assertEquals(warm.toString(), 0, warm.exitCode());
    }
  }

  @Test
  public void pin_anotherNameServiceIsDown_isDoneAndNamesIt() throws Exception {
    try (LocalCacheCluster federation = LocalCacheCluster.builder()
        .set("dfs.datanode.local.cache.capacity", CAPACITY)
        .topology(MiniDFSNNTopology.simpleFederatedTopology(2)).start()) {
      DFSTestUtil.writeFile(federation.mini().getFileSystem(0), new Path("/here"), new byte[PAGE]);
      URI down = federation.mini().getURI(1);
      federation.mini().shutdownNameNode(1);
      Configuration client = federation.mini().getConfiguration(0);
      String dataNode = "127.0.0.1:" + federation.dataNode(0).getIpcPort();
      String unknown = "; not all blocks of " + down + " are known";

      CommandResult result =
          CommandResult.ofVerb(client, "pin", "--quota", "64k", "/here", dataNode);
      result.assertDone(dataNode + ": /here is pinned, quota 64 KB; 0 pages cached, "
          + "0 B of 20 KB for 1 replica" + unknown);
      assertEquals(dataNode + ": no file; 1 block on the paths of rules" + unknown,
          CommandResult.ofVerb(client, "rules", dataNode).out().get(0));
    }
  }

  @Test
  public void pin_theOnlyNameNodeRefusesThePathOfAnotherRule_isDoneAndNamesIt() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder();
    java.nio.file.Path file = builder.directory().resolve("rules.json");
    Files.writeString(file,
        "{\"rules\": [{\"name\": \"x\", \"path\": \"/x:y\", \"action\": \"always\"}]}");
    try (LocalCacheCluster one = builder.set("dfs.datanode.local.cache.rules.file", file).start()) {
      one.write("/here", PAGE);
      String dataNode = "127.0.0.1:" + one.dataNode(0).getIpcPort();
      String unknown = "; not all blocks of " + one.mini().getURI() + " are known";
      Configuration client = one.mini().getConfiguration(0);
      CommandResult pin =
          CommandResult.ofVerb(client, "pin", "--quota", "64k", "/here", dataNode);
      assertEquals(pin.toString(), 0, pin.exitCode());
      assertTrue(pin.toString(), pin.out().get(0).startsWith(dataNode + ": /here is pinned, "
          + "quota 64 KB; 0 pages cached, 0 B of 20 KB for 1 replica" + unknown));
      assertEquals(dataNode + ": " + file + "; 1 block on the paths of rules" + unknown,
          CommandResult.ofVerb(client, "rules", "--reload", dataNode).out().get(0));
    }
  }

  @Test
  public void pin_theNameNodeRefusesItsPath_failsAndNamesIt() throws Exception {
    try (LocalCacheCluster one = LocalCacheCluster.builder().start()) {
      one.write("/secret", PAGE);
      one.cache(0).rules().start(() -> List.of(new BlockLister() {
        @Override
        public String namespace() {
          return "hdfs://strict";
        }

        @Override
        public void list(List<String> paths, Found found) throws IOException {
          throw new RemoteException(AccessControlException.class.getName(), "Permission denied")
              .unwrapRemoteException();
        }
      }), () -> { });
      String dataNode = "127.0.0.1:" + one.dataNode(0).getIpcPort();
      CommandResult.ofVerb(one.mini().getConfiguration(0), "pin", "/secret", dataNode)
          .assertFailed(dataNode + ": is pinned, but a NameNode did not list the path; see the "
              + "DataNode's log; not all blocks of hdfs://strict are known");
    }
  }

  @Test
  public void pin_badPathsAndQuotas_pinNothing() throws Exception {
    run("pin", "/nowhere").assertFailed("/nowhere: no such file or directory");
    for (String path : List.of("/a/b:c", "/../b")) {
      run("pin", path).assertFailed(
          path + ": Pathname " + path + " from " + path + " is not a valid DFS filename.");
    }
    run("pin", "--quota", "2m", "/table", address(0)).assertFailed(address(0)
        + ": /table: with a quota of 2 MB, all pins have 2 MB, which is more than the 1 MB "
        + "that the local cache holds");
    run("pin", "--quota", "1k", "/table", address(0)).assertFailed(
        address(0) + ": quota = 1k: must be at least 32 KB, two pages");
    run("rules", address(0)).assertDone(address(0) + ": no rules");
  }

  private static CommandResult run(String... args) throws Exception {
    return CommandResult.ofVerb(conf, args);
  }

  private static String address(int dataNode) {
    return "127.0.0.1:" + cluster.dataNode(dataNode).getIpcPort();
  }
}
