/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;

import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.junit.Test;

public class TestFailure {

  @Test
  public void describe_network_namesTheRootCause() {
    assertEquals("cannot be reached: No route to host",
        Failure.describe(new NoRouteToHostException("No route to host")));
    assertEquals("cannot be reached: unknown host",
        Failure.describe(new UnknownHostException("Invalid host name: local host is: ...")));
  }

  @Test
  public void describe_serviceAcl_isDeniedWithTheServersReason() {
    assertEquals("access denied: User bob is not authorized", Failure.describe(
        new RemoteException(AuthorizationException.class.getName(), "User bob is not authorized")));
  }

  /** Hadoop's client has the server's exception thrown again. */
  @Test
  public void describe_pathThatMayNotBeRead_isDenied() {
    assertEquals("access denied: Permission denied: user=alice, access=EXECUTE", Failure.describe(
        new RemoteException(AccessControlException.class.getName(),
            "Permission denied: user=alice, access=EXECUTE\n\tat Somewhere")
            .unwrapRemoteException(AccessControlException.class)));
    assertEquals("authentication failed: SIMPLE authentication is not enabled", Failure.describe(
        new RemoteException(AccessControlException.class.getName(),
            "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]")
            .unwrapRemoteException(AccessControlException.class)).replaceFirst("\\.  .*", ""));
    assertEquals("authentication failed: no ticket",
        Failure.describe(new AccessControlException("no ticket")));
  }

  @Test
  public void describe_otherProtocolUser_isUnsupported() {
    assertEquals(Failure.UNSUPPORTED, Failure.describe(new RemoteException(
        IllegalArgumentException.class.getName(),
        "Identifier 'localCache' does not exist in RefreshRegistry. Valid options are: x")));
  }

  @Test
  public void describe_anythingElse_isItsFirstLine() {
    assertEquals("first", Failure.describe(new IOException("first\nsecond")));
    assertEquals("bad", Failure.describe(
        new RemoteException(IllegalArgumentException.class.getName(), "bad\n\tat Somewhere")));
    assertEquals("java.io.IOException", Failure.describe(new IOException()));
  }
}
