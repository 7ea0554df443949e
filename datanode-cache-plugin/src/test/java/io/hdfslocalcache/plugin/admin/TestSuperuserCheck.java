/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.Test;

public class TestSuperuserCheck {
  private final Configuration conf = new Configuration();

  @Test
  public void check_userOfTheDataNode_passes() throws IOException {
    new SuperuserCheck(conf).check(
        UserGroupInformation.createRemoteUser(UserGroupInformation.getCurrentUser().getUserName()));
  }

  @Test
  public void check_memberOfTheDefaultSupergroup_passes() throws IOException {
    new SuperuserCheck(conf).check(user("alice", "staff", "supergroup"));
  }

  @Test
  public void check_memberOfTheConfiguredSupergroup_passes() throws IOException {
    conf.set(DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY, "admins");
    SuperuserCheck check = new SuperuserCheck(conf);

    check.check(user("alice", "admins"));
    assertThrows(AccessControlException.class, () -> check.check(user("bob", "supergroup")));
  }

  @Test
  public void check_stranger_isDenied() throws IOException {
    SuperuserCheck check = new SuperuserCheck(conf);

    AccessControlException e = assertThrows(AccessControlException.class,
        () -> check.check(user("mallory", "staff")));
    assertEquals("access denied: superuser privilege is required", e.getMessage());
  }

  @Test
  public void check_permissionsOff_everybodyPasses() throws IOException {
    conf.setBoolean(DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY, false);
    new SuperuserCheck(conf).check(user("mallory", "staff"));
  }

  private static UserGroupInformation user(String name, String... groups) {
    return UserGroupInformation.createUserForTesting(name, groups);
  }
}
