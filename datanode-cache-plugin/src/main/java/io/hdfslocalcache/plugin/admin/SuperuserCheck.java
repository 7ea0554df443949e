/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.io.IOException;
import java.util.List;
import java.util.Objects;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Who may send commands to this DataNode: the user it runs as, and members of the supergroup. Same
 * rule and keys as the private {@code DataNode.checkSuperuserPrivilege}: with {@code
 * dfs.permissions.enabled} off, everybody may.
 */
final class SuperuserCheck {
  static final String DENIED = "access denied: superuser privilege is required";

  private final boolean enabled;
  private final String dataNodeUser;
  private final String supergroup;

  /**
   * Remembers the rule as it is at start-up, as the DataNode does.
   *
   * @param conf the DataNode's configuration
   * @throws IOException when the user of this process cannot be determined
   */
  SuperuserCheck(Configuration conf) throws IOException {
    Objects.requireNonNull(conf, "conf is null");
    enabled = conf.getBoolean(DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY,
        DFSConfigKeys.DFS_PERMISSIONS_ENABLED_DEFAULT);
    dataNodeUser = UserGroupInformation.getCurrentUser().getUserName();
    supergroup = conf.get(DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
        DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
  }

  /**
   * Lets a superuser pass.
   *
   * @throws AccessControlException for everybody else
   */
  void check(UserGroupInformation user) throws AccessControlException {
    if (!enabled || user.getUserName().equals(dataNodeUser)
        || List.of(user.getGroupNames()).contains(supergroup)) {
      return;
    }
    throw new AccessControlException(DENIED);
  }
}
