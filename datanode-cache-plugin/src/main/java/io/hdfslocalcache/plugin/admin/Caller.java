/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.io.IOException;

import io.hdfslocalcache.plugin.metrics.LogText;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Who sends a command, and from where: what the log has to say of every switch.
 *
 * @param user the user, with the way of authentication and the real user of a proxy user
 * @param address the address it came from
 */
record Caller(UserGroupInformation user, String address) {

  /**
   * The sender of the call this thread handles. Outside of a call it is this process itself.
   *
   * @throws IOException when the user this process runs as cannot be found out
   */
  static Caller current() throws IOException {
    UserGroupInformation remote = Server.getRemoteUser();
    return remote == null
        ? new Caller(UserGroupInformation.getCurrentUser(), "this process")
        : new Caller(remote, Server.getRemoteAddress());
  }

  @Override
  public String toString() {
    // A client may claim any name where nobody authenticates it.
    return LogText.of(user.toString()) + " from " + address;
  }
}
