/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.io.IOException;

import io.hdfslocalcache.plugin.metrics.LogText;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Who sends a command, and from where. The log names it for every switch.
 *
 * @param user the user, with the authentication method and, for a proxy user, the real user
 * @param address the address it came from
 */
record Caller(UserGroupInformation user, String address) {

  /**
   * The sender of the call that this thread handles; outside of a call, this process.
   *
   * @throws IOException when the user of this process cannot be determined
   */
  static Caller current() throws IOException {
    UserGroupInformation remote = Server.getRemoteUser();
    return remote == null
        ? new Caller(UserGroupInformation.getCurrentUser(), "this process")
        : new Caller(remote, Server.getRemoteAddress());
  }

  @Override
  public String toString() {
    // Without authentication, a client may claim any name.
    return LogText.of(user.toString()) + " from " + address;
  }
}
