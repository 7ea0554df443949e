/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

import javax.security.sasl.SaslException;

import io.hdfslocalcache.plugin.metrics.ErrorText;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;

/** Describes for an operator why a server did not run a command. */
final class Failure {
  static final String UNSUPPORTED =
      "does not support the local cache: it is not patched, or not restarted since, or the plugin is "
          + "not configured";
  /** The caller will never be allowed to ask. */
  static final String REFUSED = "access denied: ";
  static final String DENIED = REFUSED + "superuser privilege is required";

  static final String UNANSWERED = "does not answer";
  /** All requests together took too long. */
  static final String LATE = "no answer within --timeout";

  private Failure() {}

  /**
   * Describes a failure on one line, without a stack trace.
   *
   * @param failure what the call threw
   */
  static String describe(Throwable failure) {
    if (failure instanceof RemoteException remote) {
      return describeRefusal(remote);
    }
    // Also a SocketTimeoutException, but of a call that was never sent.
    if (failure instanceof ConnectTimeoutException) {
      return "cannot be reached: connection timed out";
    }
    if (failure instanceof SocketTimeoutException) {
      return UNANSWERED + ": a command that changes something may still take effect";
    }
    if (failure instanceof UnknownHostException) {
      return "cannot be reached: unknown host";
    }
    if (failure instanceof ConnectException || failure instanceof NoRouteToHostException) {
      return "cannot be reached: " + rootCause(failure);
    }
    if (failure instanceof AccessControlException
        && failure.getCause() instanceof RemoteException
        && !firstLine(failure).contains("authentication is not enabled")) {
      // Hadoop's client throws the server's refusal of a path like one of its own.
      return REFUSED + firstLine(failure);
    }
    if (isAuthentication(failure)) {
      return "authentication failed: " + rootCause(failure);
    }
    if (failure instanceof EOFException || failure instanceof RpcException) {
      return "does not speak Hadoop RPC, or closed the connection: is this its IPC port?";
    }
    return firstLine(failure);
  }

  /** @return a described failure of a request that changes nothing, so the advice is left out. */
  static String ofQuestion(String described) {
    return described.startsWith(UNANSWERED) ? UNANSWERED : described;
  }

  /** The server's exception, of which only class name and message are sent. */
  private static String describeRefusal(RemoteException refusal) {
    String thrown = refusal.getClassName();
    if (thrown.equals(RpcNoSuchProtocolException.class.getName()) || isForeignRegistry(refusal)) {
      return UNSUPPORTED;
    }
    if (thrown.equals(AuthorizationException.class.getName())) {
      return REFUSED + firstLine(refusal);
    }
    if (thrown.equals(AccessControlException.class.getName())) {
      return DENIED;
    }
    return firstLine(refusal);
  }

  /** A NameNode, or a DataNode with another plugin that serves the same protocol. */
  private static boolean isForeignRegistry(RemoteException refusal) {
    return refusal.getClassName().equals(IllegalArgumentException.class.getName())
        && refusal.getMessage().contains("does not exist in RefreshRegistry");
  }

  /** A failure on our side, e.g. a missing ticket: the server's refusals are RemoteExceptions. */
  private static boolean isAuthentication(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SaslException || cause instanceof AccessControlException) {
        return true;
      }
    }
    return false;
  }

  private static String rootCause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return firstLine(cause);
  }

  private static String firstLine(Throwable failure) {
    return ErrorText.of(failure).lines().findFirst().get();
  }
}
