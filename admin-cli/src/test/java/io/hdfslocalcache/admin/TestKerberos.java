/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;

import io.hdfslocalcache.plugin.admin.LocalCacheAdminService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolServerSideTranslatorPB;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Which principal the server must have, with a real KDC and an IPC server of the DataNode's. */
public class TestKerberos {
  @ClassRule
  public static final TemporaryFolder DIR = new TemporaryFolder();

  private static final TestingSwitch LOCAL_CACHE = new TestingSwitch();

  private static MiniKdc kdc;
  private static File keytab;
  private static RPC.Server ipcServer;
  private static Configuration conf;

  @BeforeClass
  public static void startServer() throws Exception {
    kdc = new MiniKdc(MiniKdc.createConf(), DIR.newFolder("kdc"));
    kdc.start();
    keytab = DIR.newFile("all.keytab");
    kdc.createPrincipal(keytab, "dn/localhost", "nn/localhost", "mallory/localhost");

    conf = new Configuration();
    SecurityUtil.setAuthenticationMethod(AuthenticationMethod.KERBEROS, conf);
    UserGroupInformation.setConfiguration(conf);
    conf.set(HdfsClientConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, "nn/_HOST@" + realm());
    conf.set(HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, "dn/_HOST@" + realm());
    ipcServer = login("dn").doAs((PrivilegedExceptionAction<RPC.Server>) TestKerberos::serve);
  }

  @AfterClass
  public static void stopServer() {
    if (ipcServer != null) {
      ipcServer.stop();
    }
    if (kdc != null) {
      kdc.stop();
    }
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  @Test
  public void set_userOfTheDataNode_isDone() throws Exception {
    runAs(login("dn"), conf, "-setLocalCache", "on", address()).assertDone(address() + ": on");
    assertTrue(LOCAL_CACHE.isOn());
  }

  @Test
  public void get_otherUser_isDenied() throws Exception {
    runAs(login("mallory"), conf, "-getLocalCache", address()).assertFailed(
        address() + ": access denied: superuser privilege is required");
  }

  @Test
  public void get_principalNotConfigured_isDoneIfItMatchesThePattern() throws Exception {
    Configuration byPattern = new Configuration(conf);
    byPattern.unset(HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY);
    byPattern.set(HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY + ".pattern", "dn/*");

    assertEquals(0, runAs(login("dn"), byPattern, "-getLocalCache", address()).exitCode());
  }

  @Test
  public void get_serverWithAnotherPrincipal_isNotTrusted() throws Exception {
    Configuration wrong = new Configuration(conf);
    wrong.set(HdfsClientConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, "nn/_HOST@" + realm());

    runAs(login("dn"), wrong, "-getLocalCache", address()).assertFailed(address()
        + ": authentication failed: Server has invalid Kerberos principal: dn/localhost@"
        + realm() + ", expecting: nn/localhost@" + realm());
  }

  @Test
  public void get_noTicket_fails() throws Exception {
    UserGroupInformation withoutTicket = UserGroupInformation.createRemoteUser("dn");

    runAs(withoutTicket, conf, "-getLocalCache", address()).assertFailed(address()
        + ": authentication failed: Client cannot authenticate via:[KERBEROS]");
  }

  private static CommandResult runAs(UserGroupInformation user, Configuration conf, String... args)
      throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<CommandResult>) () -> CommandResult.of(conf, args));
  }

  private static UserGroupInformation login(String user) throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        user + "/localhost@" + realm(), keytab.getPath());
  }

  private static RPC.Server serve() throws IOException {
    RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
    GenericRefreshProtocol nobody = (identifier, args) -> {
      throw new IOException("not reached");
    };
    RPC.Server server = new RPC.Builder(conf)
        .setProtocol(GenericRefreshProtocolPB.class)
        .setInstance(GenericRefreshProtocolService.newReflectiveBlockingService(
            new GenericRefreshProtocolServerSideTranslatorPB(nobody)))
        .setBindAddress("localhost").setPort(0).setNumHandlers(2)
        .build();
    LocalCacheAdminService.register(conf, server, LOCAL_CACHE, () -> null, null);
    server.start();
    return server;
  }

  private static String address() {
    return "localhost:" + ipcServer.getPort();
  }

  private static String realm() {
    return kdc.getRealm();
  }
}
