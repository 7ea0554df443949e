/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;

import io.hdfslocalcache.plugin.admin.Condition;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.RuleStatus;
import io.hdfslocalcache.plugin.rules.BadRulesException;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.testing.DeleteAfterListing;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Rules on a DataNode that admits a block, without one, at its second read. */
public class TestRulesOnCluster {

  private static final int PAGE = LocalCacheCluster.PAGE;
  /** Space of a page on the SSD: data, checksums and trailer, in units of 4 KiB. */
  private static final int SPACE = PAGE + 4096;
  private static final int PAGES = 10;
  /** Room for 51 pages. */
  private static final String CAPACITY = "1m";

  private static LocalCacheCluster cluster;
  private static Path file;
  private static int files;

  @BeforeClass
  public static void start() throws IOException {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder().threshold(1)
        .set(LocalCacheKeys.CAPACITY, CAPACITY)
        // One write at a time: several would each want room in a small quota.
        .set(TestingConfig.FILL_THREADS, 1);
    file = builder.directory().resolve("rules.json");
    Files.writeString(file, "{\"rules\": []}");
    cluster = builder.set(LocalCacheKeys.RULES_FILE, file).start();
  }

  @AfterClass
  public static void stop() {
    cluster.close();
  }

  @After
  public void clear() throws Exception {
    use();
    cluster.settle();
    cluster.view(0).clearAll("end of a test");
    cluster.settle();
  }

  private static RuleKeeper keeper() {
    return cluster.cache(0).rules();
  }

  private static void write(String... rules) throws IOException {
    Files.writeString(
        file, ("{'rules': [" + String.join(",\n", rules) + "]}").replace('\'', '"'));
  }

  /** Puts rules in force, and waits until their paths are resolved. */
  private static void use(String... rules) throws IOException {
    write(rules);
    keeper().reload();
    LocalCacheCluster.await("a round", () -> keeper().isLookedUp());
  }

  private static String rule(String name, String rest) {
    return "{'name': '" + name + "', " + rest + "}";
  }

  private static String newFile(String directory) throws IOException {
    String path = directory + "/" + files++;
    cluster.write(path, PAGES * PAGE);
    return path;
  }

  private static int read(String path) throws IOException {
    assertArrayEquals(LocalCacheCluster.bytes(path.hashCode(), PAGES * PAGE),
        cluster.readUntilCached(path));
    return pages(path);
  }

  private static int pages(String path) throws IOException {
    CachedBlock block = cluster.cached(0, path);
    return block == null ? 0 : block.pages();
  }

  private static RuleStatus status(String name) {
    return keeper().rules().status().stream()
        .filter(rule -> rule.name().equals(name)).findFirst().orElseThrow();
  }

  private static BlockKey key(String path) throws IOException {
    return key(cluster, path);
  }

  private static BlockKey key(LocalCacheCluster of, String path) throws IOException {
    return LocalCacheCluster.key(of.block(path));
  }

  @Test
  public void never_path_isNotFilledHoweverOftenItIsRead() throws Exception {
    String cold = newFile("/never/below");
    String other = newFile("/other");
    use(rule("n", "'path': '/nev*', 'action': 'never'"));
    for (int i = 0; i < 4; i++) {
      assertEquals(0, read(cold));
    }
    assertEquals(4, status("n").reads());
    assertEquals(4, status("n").rejected());
    assertEquals(0, read(other));
    assertEquals(PAGES, read(other));
    assertTrue(cluster.view(0).block(key(cold)).why().contains("rule n: never"));
    // The reads were not counted: without the rule its next read is its first.
    use();
    assertEquals(0, read(cold));
    assertEquals(PAGES, read(cold));
  }

  @Test
  public void always_path_isFilledAtTheFirstRead() throws Exception {
    String hot = newFile("/always");
    use(rule("a", "'path': '" + hot + "', 'action': 'always'"));
    assertEquals(1, keeper().rules().blocks());
    assertEquals(PAGES, read(hot));
    assertEquals(PAGES, read(hot));
    RuleStatus status = status("a");
    assertEquals(List.of(2L, 1L, (long) PAGES, (long) PAGES * SPACE), List.of(
        status.reads(), status.hits(), status.pages(), status.bytes()));
    assertEquals(0, read(newFile("/always")));
  }

  @Test
  public void never_client_isToldByItsName() throws Exception {
    String path = newFile("/client");
    use(rule("jobs", "'client': 'DFSClient_attempt_*', 'action': 'never'"),
        rule("rest", "'path': '/client', 'action': 'always'"));
    Configuration conf = new Configuration(cluster.fs().getConf());
    conf.set("mapreduce.task.attempt.id", "attempt_1_0001_m_000001_0");
    try (FileSystem job = FileSystem.newInstance(cluster.fs().getUri(), conf)) {
      for (int i = 0; i < 3; i++) {
        DFSTestUtil.readFileAsBytes(job, new org.apache.hadoop.fs.Path(path));
        cluster.settle();
      }
      assertEquals(0, pages(path));
      assertEquals(3, status("jobs").rejected());
      assertEquals(PAGES, read(path));
      // Cached pages serve every client.
      DFSTestUtil.readFileAsBytes(job, new org.apache.hadoop.fs.Path(path));
      cluster.settle();
      assertEquals(1, status("jobs").hits());
    }
  }

  @Test
  public void quota_exceeded_pagesOfTheSameRuleLeave() throws Exception {
    String other = newFile("/other");
    use(rule("q", "'path': '/quota', 'action': 'always', 'quota': '" + 15 * SPACE + "'"),
        rule("o", "'path': '/other', 'action': 'always'"));
    assertEquals(PAGES, read(other));
    // A file that is made later follows the rule when its path is looked up the next time.
    String first = newFile("/quota");
    String second = newFile("/quota");
    use(rule("q", "'path': '/quota', 'action': 'always', 'quota': '" + 15 * SPACE + "'"),
        rule("o", "'path': '/other', 'action': 'always'"));
    assertEquals(PAGES, read(first));
    assertEquals(PAGES, read(second));
    assertEquals(5, pages(first));
    assertEquals(PAGES, pages(other));
    assertEquals(List.of(15L, 5L), List.of(status("q").pages(), status("q").evicted()));
  }

  @Test
  public void explain_ruleForSomeClients_isNamed() throws Exception {
    String path = newFile("/clients");
    use(rule("c", "'client': 'etl_*', 'path': '/clients', 'action': 'never'"),
        rule("p", "'path': '/clients', 'action': 'always'"),
        rule("u", "'client': 'etl_*', 'action': 'always'"));
    assertEquals("rule p: always; the client or user may decide: rule c: never",
        cluster.view(0).block(key(path)).why());
    assertTrue(cluster.view(0).block(key(newFile("/elsewhere"))).why()
        .endsWith("; the client or user may decide: rule u: always"));
  }

  @Test
  public void reload_badFile_isRefusedAndTheRulesOfBeforeStay() throws Exception {
    String path = newFile("/bad");
    use(rule("b", "'path': '/bad', 'action': 'always'"));
    long refused = cluster.metrics(0).total(Event.RULES_REFUSED);
    write(rule("b", "'path': '/bad', 'action': 'never'"), rule("c", "'path': '/c'"));
    BadRulesException e = assertThrows(BadRulesException.class, () -> keeper().reload());
    assertTrue(e.getMessage(), e.getMessage().startsWith(file + ":2: rule c has no action"));
    assertEquals(refused + 1, cluster.metrics(0).total(Event.RULES_REFUSED));
    assertEquals(new Condition("rules-refused", e.getMessage()), cluster.view(0).condition());
    assertEquals(PAGES, read(path));
    use(rule("b", "'path': '/bad', 'action': 'always'"));
    assertTrue(cluster.view(0).condition().isNormal());
  }

  @Test
  public void nameNodeDown_pathsStayAsTheyWere() throws Exception {
    String path = newFile("/down");
    use(rule("d", "'path': '/down', 'action': 'pin', 'quota': '1m'"));
    BlockKey key = key(path);
    assertNotNull(keeper().rules().ofBlock(key));
    cluster.mini().shutdownNameNode(0);
    try {
      long failed = cluster.metrics(0).total(Event.RULES_LISTINGS_FAILED);
      write(rule("x", "'client': 'nobody', 'action': 'never'"),
          rule("d", "'path': '/down', 'action': 'always'"));
      keeper().reload();
      LocalCacheCluster.await("a round without a listing", () -> !keeper().notListed().isEmpty());
      assertTrue(cluster.metrics(0).total(Event.RULES_LISTINGS_FAILED) > failed);
      assertEquals("d", keeper().rules().ofBlock(key).name());
    } finally {
      cluster.mini().restartNameNode(0);
      cluster.mini().waitActive();
    }
    assertEquals(PAGES, read(path));
  }

  /** The NameNode lists the blocks of all DataNodes. */
  @Test
  public void path_replicasOfOtherDataNodes_areNotCounted() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder().dataNodes(2);
    Path rules = builder.directory().resolve("rules.json");
    Files.writeString(rules, "{\"rules\": [{\"name\": \"p\", \"path\": \"/p\", "
        + "\"action\": \"always\"}]}");
    try (LocalCacheCluster two = builder.set(LocalCacheKeys.RULES_FILE, rules).start()) {
      two.write("/p/one", PAGE);
      two.write("/p/both", PAGE, (short) 2);
      String holder = two.blocks("/p/one").get(0).getLocations()[0].getDatanodeUuid();
      for (int i = 0; i < 2; i++) {
        RuleKeeper keeper = two.cache(i).rules();
        int expected = two.dataNode(i).getDatanodeUuid().equals(holder) ? 2 : 1;
        keeper.reload();
        LocalCacheCluster.await("blocks", () -> keeper.rules().blocks() == expected);
        assertEquals(expected, keeper.rules().status().get(0).replicas());
      }
    }
  }

  @Test
  public void bound_ofBlocks_isKept() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder()
        .set(TestingConfig.RULES_MAX_BLOCKS, 3).set(LocalCacheKeys.RULES_INTERVAL, "1s");
    Path changing = builder.directory().resolve("rules.json");
    Files.writeString(changing, "{\"rules\": []}");
    try (LocalCacheCluster small = builder.set(LocalCacheKeys.RULES_FILE, changing).start()) {
      for (int i = 0; i < 5; i++) {
        small.write("/many/" + i, PAGE);
      }
      assertNull(small.cache(0).rules().rules().ofBlock(new BlockKey("BP", 1)));
      // The file is looked at again without a command, and the NameNode asked again.
      Files.writeString(changing, "{\"rules\": [{\"name\": \"m\", \"path\": \"/\","
          + " \"action\": \"never\"}]}");
      LocalCacheCluster.await("the bound", () ->
          small.metrics(0).total(Event.RULES_LISTINGS_CUT) > 0
              && small.cache(0).rules().rules().blocks() == 3);
      for (int i = 0; i < 3; i++) {
        small.fs().delete(new org.apache.hadoop.fs.Path("/many/" + i), false);
      }
      LocalCacheCluster.await("the rest", () ->
          small.cache(0).rules().rules().blocks() == 2);
    }
  }

  /** The NameNode lists its files in several calls. */
  @Test
  public void directoryIsDeletedWhileItIsListed_itsSiblingsKeepTheirRule() throws Exception {
    LocalCacheCluster.Builder builder = DeleteAfterListing.builder();
    Path rules = builder.directory().resolve("rules.json");
    Files.writeString(rules, "{\"rules\": [{\"name\": \"w\", \"path\": \"/w\", "
        + "\"action\": \"pin\", \"quota\": \"1m\"}]}");
    try (LocalCacheCluster small = builder.set(LocalCacheKeys.RULES_FILE, rules).start()) {
      for (int i = 0; i < 5; i++) {
        small.write("/w/a/" + i, PAGE);
      }
      small.write("/w/b/f", PAGE);
      RuleKeeper keeper = small.cache(0).rules();
      keeper.reload();
      LocalCacheCluster.await("all blocks", () -> keeper.rules().blocks() == 6);
      DeleteAfterListing.delete(small.fs(), "/w/a");
      keeper.reload();
      LocalCacheCluster.await("the round", () ->
          DeleteAfterListing.isDone() && keeper.rules().blocks() < 6);
      assertEquals("w", keeper.rules().ofBlock(key(small, "/w/b/f")).name());
    }
  }

  @Test
  public void never_user_isToldByTheBlockToken() throws Exception {
    LocalCacheCluster.Builder builder = LocalCacheCluster.builder()
        .set(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    Path rules = builder.directory().resolve("rules.json");
    Files.writeString(rules,
        "{\"rules\": [{\"name\": \"etl\", \"user\": \"etl*\", \"action\": \"never\"}]}");
    try (LocalCacheCluster secure = builder.set(LocalCacheKeys.RULES_FILE, rules).start()) {
      byte[] content = secure.write("/user", PAGE);
      UserGroupInformation.createRemoteUser("etl1").doAs((PrivilegedExceptionAction<Void>) () -> {
        try (FileSystem fs = FileSystem.newInstance(secure.fs().getUri(), secure.fs().getConf())) {
          assertArrayEquals(content,
              DFSTestUtil.readFileAsBytes(fs, new org.apache.hadoop.fs.Path("/user")));
        }
        return null;
      });
      secure.settle();
      assertNull(secure.cached(0, "/user"));
      assertEquals(1, secure.cache(0).rules().rules().status().get(0).rejected());
      secure.readUntilCached("/user");
      assertEquals(1, secure.cached(0, "/user").pages());
    }
  }
}
