/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class TestLocalCacheAdminServiceOverIpc {
  private static final String ACL =
      CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_AUTHORIZATION_GENERIC_REFRESH;

  private final Configuration conf = new Configuration();
  private final TestingSwitch localCache = new TestingSwitch(false);
  private TestingIpcServer ipc;

  @Before
  public void createServer() throws IOException {
    ipc = new TestingIpcServer(conf);
  }

  @After
  public void stopServer() {
    ipc.close();
  }

  @Test
  public void register_serverNotStarted_answersOnceStarted() throws IOException {
    LocalCacheAdminService.register(conf, ipc.server(), localCache, () -> null, null);
    ipc.server().start();

    assertEquals("on", ipc.send("localCache", "set", "on").getMessage());
    assertTrue(localCache.isOn());
  }

  @Test
  public void register_serverRunning_replacesWhoeverServedTheProtocol() throws IOException {
    ipc.server().start();
    assertEquals("somebody else", ipc.send("localCache", "get").getMessage());

    LocalCacheAdminService.register(conf, ipc.server(), localCache, () -> null, null);
    assertEquals("off", ipc.send("localCache", "get").getMessage());
  }

  @Test
  public void set_userNotInTheServiceAcl_isRefusedByTheServer() throws IOException {
    String me = UserGroupInformation.getCurrentUser().getShortUserName();
    startWithAcl(me);

    assertEquals("on", ipc.send("localCache", "set", "on").getMessage());
    assertDenied(AuthorizationException.class);
  }

  /** As a DataNode does: the ACLs are loaded before the protocol is added. */
  private void startWithAcl(String users) throws IOException {
    ipc.close();
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set(ACL, users);
    ipc = new TestingIpcServer(conf);
    ipc.server().refreshServiceAcl(conf, new HDFSPolicyProvider());
    LocalCacheAdminService.register(conf, ipc.server(), localCache, () -> null, null);
    ipc.server().start();
  }

  private void assertDenied(Class<? extends Exception> expected) {
    UserGroupInformation mallory =
        UserGroupInformation.createUserForTesting("mallory", new String[] {"staff"});
    RemoteException e = assertThrows(RemoteException.class, () -> mallory.doAs(
        (PrivilegedExceptionAction<?>) () -> ipc.send("localCache", "set", "off")));
    assertEquals(expected.getName(), e.getClassName());
  }
}
