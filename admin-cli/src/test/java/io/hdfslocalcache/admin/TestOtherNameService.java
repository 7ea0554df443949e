/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;

import io.hdfslocalcache.testing.LocalCacheCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ToolRunner;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Paths in another name service than that of {@code fs.defaultFS}, which has no DataNode. */
public class TestOtherNameService {
  private static final String FILE = "/b1";

  private static LocalCacheCluster own;
  private static LocalCacheCluster other;
  private static Configuration conf;
  private static String there;
  private static String dataNode;

  @BeforeClass
  public static void start() throws IOException {
    own = LocalCacheCluster.builder().dataNodes(0).start();
    conf = own.mini().getConfiguration(0);
    other = LocalCacheCluster.builder().dataNodes(1)
        .set("dfs.datanode.local.cache.capacity", "1m").start();
    other.write(FILE, 3 * LocalCacheCluster.PAGE);
    there = other.mini().getURI().resolve(FILE).toString();
    dataNode = "127.0.0.1:" + other.dataNode(0).getIpcPort();
  }

  @AfterClass
  public static void stop() {
    other.close();
    own.close();
  }

  @Test
  public void warmExplainAndClear_askTheDataNodesThatHaveTheBlocks() throws Exception {
    CommandResult warm = run("warm", there);
    assertEquals(warm.toString(), 0, warm.exitCode());
    assertEquals(3, other.cached(0, FILE).wholePages());
    List<String> explained = run("explain", there).out();
    assertEquals(FILE, explained.get(0));
    assertTrue(explained.toString(),
        explained.get(2).startsWith("    " + dataNode + ": 3 of 3 pages cached on "));
    run("clear", "--path", there)
        .assertDone(dataNode + ": 3 pages cleared");
  }

  @Test
  public void pinAndUnpin_askTheLiveDataNodesOfTheNameService() throws Exception {
    CommandResult pin = run("pin", there);
    assertEquals(pin.toString(), 0, pin.exitCode());
    assertTrue(pin.toString(), pin.out().get(0).startsWith(dataNode + ": /b1 is pinned, quota "));
    CommandResult unpin = run("unpin", there);
    assertEquals(unpin.toString(), 0, unpin.exitCode());
    assertTrue(unpin.toString(), unpin.out().get(0).startsWith(dataNode + ": /b1 is no longer "));
  }

  @Test
  public void genericOptionBeforeTheVerb_isTheSameForPathsWithoutAName() throws Exception {
    CommandResult explained = CommandResult.of((out, err) -> ToolRunner.run(new Configuration(conf),
        new LocalCacheCommand(out, err, CommandResult.PATIENT),
        new String[] {"-fs", other.mini().getURI().toString(), "explain", FILE}));
    assertEquals(explained.toString(), 0, explained.exitCode());
    assertTrue(explained.toString(), explained.out().get(2).startsWith("    " + dataNode + ": "));
  }

  @Test
  public void pathThatIsNotThere_isNamedAsGiven() throws Exception {
    String nowhere = there + "-nowhere";
    for (String[] args : new String[][] {{"pin", nowhere}, {"warm", nowhere}, {"explain", nowhere},
        {"clear", "--path", nowhere}}) {
      run(args).assertFailed(nowhere + ": no such file or directory");
    }
  }

  @Test
  public void patternThatIsNotAPath_isToldFromOne() throws Exception {
    for (String wildcard : List.of("*", "?", "[12]", "{1,2}")) {
      String pattern = there + wildcard;
      for (String[] args : new String[][] {{"warm", pattern}, {"explain", pattern},
          {"clear", "--path", pattern}}) {
        run(args).assertFailed(pattern + ": expected a path without wildcards");
      }
    }
  }

  @Test
  public void fileWithAWildcardInItsName_isFound() throws Exception {
    other.write(FILE + "*", LocalCacheCluster.PAGE);
    assertEquals(FILE + "*", run("explain", there + "*").out().get(0));
    other.mini().getFileSystem().delete(new Path(FILE + "*"), false);
  }

  @Test
  public void fileSystemThatIsNotHdfs_isRefused() throws Exception {
    for (String[] args : new String[][] {{"pin", "file:///b1"}, {"warm", "file:///b1"}}) {
      run(args).assertFailed("file:///b1: file:/// is not HDFS");
    }
    run("unpin", "file:///b1")
        .assertFailed("livenodes: the NameNode does not list them: file:/// is not HDFS");
  }

  private static CommandResult run(String... args) throws Exception {
    return CommandResult.ofVerb(conf, args);
  }
}
