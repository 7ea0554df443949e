/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

import io.hdfslocalcache.harness.HdfsDaemons;
import io.hdfslocalcache.plugin.admin.LocalCacheAdminService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/** The two commands as an operator calls them: through the patched {@code hdfs dfsadmin}. */
public class TestDFSAdminLocalCache {
  private static final String SET =
      "[-setLocalCache <on|off> [<datanode_host:ipc_port>|livenodes]]";
  private static final String GET = "[-getLocalCache [<datanode_host:ipc_port>|livenodes]]";

  private static final TestingSwitch LOCAL_CACHE = new TestingSwitch();

  private static MiniDFSCluster cluster;
  private static Configuration conf;
  private static String dataNode;

  @BeforeClass
  public static void startCluster() throws IOException {
    conf = new HdfsConfiguration();
    cluster = HdfsDaemons.inThisProcess(conf, builder -> builder.numDataNodes(1));
    DataNode only = cluster.getDataNodes().get(0);
    LocalCacheAdminService.register(conf, only.ipcServer, LOCAL_CACHE, () -> null, null);
    dataNode = "127.0.0.1:" + only.getIpcPort();
  }

  @AfterClass
  public static void stopCluster() {
    cluster.shutdown();
  }

  @Before
  public void resetSwitch() {
    LOCAL_CACHE.reset();
  }

  @Test
  public void run_setAndGet_reachTheDataNode() throws Exception {
    dfsadmin("-setLocalCache", "on").assertDone(dataNode + ": on");
    assertTrue(LOCAL_CACHE.isOn());
    dfsadmin("-getLocalCache").assertDone(dataNode + ": on");
    dfsadmin("-setLocalCache", "off", "livenodes").assertDone(dataNode + ": off");
    dfsadmin("-getLocalCache", dataNode).assertDone(dataNode + ": off");
    assertFalse(LOCAL_CACHE.isOn());
  }

  @Test
  public void run_failingDataNode_keepsItsExitCode() throws Exception {
    String nameNode = "127.0.0.1:" + cluster.getNameNodePort();
    dfsadmin("-getLocalCache", nameNode).assertFailed(
        nameNode + ": does not support the local cache:"
            + " it is not patched, or not restarted since, or the plugin is not configured");
  }

  @Test
  public void run_wrongArguments_printsUsage() throws Exception {
    assertWrongUsage(List.of("setLocalCache: expected on or off, got: maybe",
        "Usage: hdfs dfsadmin " + SET), dfsadmin("-setLocalCache", "maybe", dataNode));
    assertWrongUsage(List.of("setLocalCache: expected on or off", "Usage: hdfs dfsadmin " + SET),
        dfsadmin("-setLocalCache"));
    String tooMany = ": too many arguments: " + dataNode + " " + dataNode;
    assertWrongUsage(List.of("setLocalCache" + tooMany, "Usage: hdfs dfsadmin " + SET),
        dfsadmin("-setLocalCache", "on", dataNode, dataNode));
    assertWrongUsage(List.of("getLocalCache" + tooMany, "Usage: hdfs dfsadmin " + GET),
        dfsadmin("-getLocalCache", dataNode, dataNode));
    assertFalse(LOCAL_CACHE.isOn());
  }

  @Test
  public void run_noAdminCliOnTheClassPath_saysSo() throws Exception {
    Configuration withoutJar = new Configuration(conf);
    withoutJar.setClassLoader(new WithoutAdminCli());

    for (String verb : List.of("-setLocalCache", "-getLocalCache")) {
      assertWrongUsage(
          List.of(verb + ": the local cache's admin-cli jar is not on the class path"),
          dfsadmin(withoutJar, verb, "on"));
    }
  }

  @Test
  public void usage_anyUnknownCommand_listsBoth() throws Exception {
    List<String> err = dfsadmin("-noSuchCommand").err();
    assertTrue(err.toString(), err.contains("\t" + SET));
    assertTrue(err.toString(), err.contains("\t" + GET));
  }

  @Test
  public void help_oneOrAllCommands_describesBoth() throws Exception {
    String set = SET.substring(1, SET.length() - 1);
    String get = GET.substring(1, GET.length() - 1);

    assertEquals(set, dfsadmin("-help", "setLocalCache").out().get(0));
    assertEquals(get, dfsadmin("-help", "getLocalCache").out().get(0));
    assertTrue(dfsadmin("-help").out().containsAll(List.of(set, get)));
  }

  private static void assertWrongUsage(List<String> err, CommandResult result) {
    assertEquals(new CommandResult(-1, List.of(), err), result);
  }

  private static CommandResult dfsadmin(String... args) throws Exception {
    return dfsadmin(new Configuration(conf), args);
  }

  private static CommandResult dfsadmin(Configuration conf, String... args) throws Exception {
    PrintStream processOut = System.out;
    PrintStream processErr = System.err;
    try {
      return CommandResult.of((out, err) -> {
        System.setOut(out);
        System.setErr(err);
        return new DFSAdmin(conf).run(args);
      });
    } finally {
      System.setOut(processOut);
      System.setErr(processErr);
    }
  }

  /** All classes but those of the admin-cli. */
  private static final class WithoutAdminCli extends ClassLoader {
    WithoutAdminCli() {
      super(TestDFSAdminLocalCache.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("io.hdfslocalcache.admin.")) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }
}
