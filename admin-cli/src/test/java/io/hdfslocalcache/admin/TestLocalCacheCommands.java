/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;

import io.hdfslocalcache.harness.HdfsDaemons;
import io.hdfslocalcache.plugin.admin.LocalCacheAdminService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/** The commands against two DataNodes that have a switch and one that has none. */
public class TestLocalCacheCommands {
  private static final String UNSUPPORTED = ": does not support the local cache:"
      + " it is not patched, or not restarted since, or the plugin is not configured";
  private static final String DENIED = ": access denied: superuser privilege is required";

  private static final TestingSwitch FIRST = new TestingSwitch();
  private static final TestingSwitch SECOND = new TestingSwitch();

  private static MiniDFSCluster cluster;
  private static Configuration conf;
  private static String first;
  private static String second;
  private static String stock;

  @BeforeClass
  public static void startCluster() throws IOException {
    conf = new HdfsConfiguration();
    cluster = HdfsDaemons.inThisProcess(conf, builder -> builder.numDataNodes(3));
    first = addSwitch(cluster.getDataNodes().get(0), FIRST);
    second = addSwitch(cluster.getDataNodes().get(1), SECOND);
    stock = address(cluster.getDataNodes().get(2));
  }

  @AfterClass
  public static void stopCluster() {
    cluster.shutdown();
  }

  @Before
  public void resetSwitches() {
    FIRST.reset();
    SECOND.reset();
  }

  @Test
  public void set_oneDataNode_switchesOnlyThat() throws Exception {
    run("-setLocalCache", "on", second).assertDone(second + ": on");

    assertFalse(FIRST.isOn());
    assertTrue(SECOND.isOn());
    run("-getLocalCache", first).assertDone(first + ": off");
    run("-getLocalCache", second).assertDone(second + ": on");
    run("-setLocalCache", "off", second).assertDone(second + ": off");
    assertFalse(SECOND.isOn());
  }

  @Test
  public void set_liveNodes_switchesAllThatCanAndNamesThoseThatCannot() throws Exception {
    CommandResult result = run("-setLocalCache", "on", "livenodes");

    assertEquals(Arrays.asList(sorted(first + ": on", second + ": on")), result.out());
    assertEquals(Arrays.asList(stock + UNSUPPORTED), result.err());
    assertEquals(1, result.exitCode());
    assertTrue(FIRST.isOn());
    assertTrue(SECOND.isOn());
  }

  @Test
  public void get_noTarget_asksAllLiveNodes() throws Exception {
    FIRST.setOn(true, "by the test");
    CommandResult result = run("-getLocalCache");

    assertEquals(Arrays.asList(sorted(first + ": on", second + ": off")), result.out());
    assertEquals(Arrays.asList(stock + UNSUPPORTED), result.err());
  }

  @Test
  public void get_nameNode_saysThatItDoesNotSupportIt() throws Exception {
    String nameNode = "127.0.0.1:" + cluster.getNameNodePort();
    run("-getLocalCache", nameNode).assertFailed(nameNode + UNSUPPORTED);
  }

  @Test
  public void get_otherPortOfTheDataNode_asksForTheIpcPort() throws Exception {
    DataNode dataNode = cluster.getDataNodes().get(0);
    for (int port : new int[] {dataNode.getXferPort(), dataNode.getInfoPort()}) {
      run("-getLocalCache", "127.0.0.1:" + port).assertFailed(
          "127.0.0.1:" + port + ": does not speak Hadoop RPC, or closed the connection: "
          + "is this its IPC port?");
    }
  }

  @Test
  public void set_dataNodeThatDescribesItself_printsTheDescriptionOnTheSameLine()
      throws Exception {
    FIRST.describeAs("(1 of 2 directories\nleft out)");
    run("-setLocalCache", "on", first).assertDone(
        first + ": on (1 of 2 directories left out)");
  }

  @Test
  public void set_dataNodeThatDoesNotObey_isNotASuccess() throws Exception {
    FIRST.disobey();
    run("-setLocalCache", "on", first).assertFailed(
        first + ": was asked to switch the local cache on, but answers: off");
  }

  @Test
  public void status_stockAndWithoutSsd_saysWhich() throws Exception {
    CommandResult result = CommandResult.ofVerb(conf, "status", first, stock);

    assertEquals(1, result.exitCode());
    assertEquals(first + ": off", result.out().get(0));
    assertEquals(Arrays.asList(stock + UNSUPPORTED), result.err());
    CommandResult.ofVerb(conf, "clear", first).assertFailed(
        first + ": the DataNode is still starting: waiting for its NameNode, then for the SSDs");
  }

  @Test
  public void set_noSuperuser_isDeniedAndChangesNothing() throws Exception {
    UserGroupInformation mallory = user("mallory", "staff");

    runAs(mallory, "-setLocalCache", "on", first).assertFailed(first + DENIED);
    runAs(mallory, "-getLocalCache", first).assertFailed(first + DENIED);
    runAs(mallory, "-setLocalCache", "on", "livenodes").assertFailed(
        "livenodes: the NameNode does not list them" + DENIED);
    assertFalse(FIRST.isOn());
  }

  @Test
  public void run_anyCommand_leavesTheConfigurationAlone() throws Exception {
    Configuration mine = new Configuration(conf);
    CommandResult.of(mine, "-getLocalCache", "livenodes");
    CommandResult.of(mine, "-getLocalCache", first);

    mine.forEach(entry -> assertEquals(conf.getRaw(entry.getKey()), entry.getValue()));
    assertEquals(conf.size(), mine.size());
  }

  private static CommandResult run(String... args) throws Exception {
    return CommandResult.of(conf, args);
  }

  private static CommandResult runAs(UserGroupInformation user, String... args) throws Exception {
    return user.doAs((PrivilegedExceptionAction<CommandResult>) () -> run(args));
  }

  private static UserGroupInformation user(String name, String group) {
    return UserGroupInformation.createUserForTesting(name, new String[] {group});
  }

  private static String addSwitch(DataNode dataNode, TestingSwitch localCache) throws IOException {
    LocalCacheAdminService.register(
        dataNode.getConf(), dataNode.ipcServer, localCache, () -> null, null);
    return address(dataNode);
  }

  private static String address(DataNode dataNode) {
    return "127.0.0.1:" + dataNode.getIpcPort();
  }

  private static String[] sorted(String... lines) {
    Arrays.sort(lines);
    return lines;
  }
}
