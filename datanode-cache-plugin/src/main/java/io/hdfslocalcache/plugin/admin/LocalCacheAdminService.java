/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import static io.hdfslocalcache.plugin.admin.Arguments.check;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.hdfslocalcache.plugin.metrics.LogText;
import io.hdfslocalcache.plugin.settings.OnOff;
import io.hdfslocalcache.plugin.trace.ReadTrace;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolServerSideTranslatorPB;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the operator's commands to one DataNode: Hadoop's {@link GenericRefreshProtocol} with
 * the identifier {@value #IDENTIFIER}. The arguments are one of the {@link Commands} as JSON, or
 * those of {@code dfsadmin}: {@code get}, {@code set on [persist]}, {@code set off [persist]}.
 *
 * <p>There is one {@link RefreshResponse}. Code 0: the message is {@code on} or {@code off}, the
 * state after the call, perhaps followed by a space and {@link OnOff#describe}; a JSON command is
 * answered by one line of JSON. Code -1: nothing was done, the message says why. A user who is not
 * a superuser gets an {@link AccessControlException}. Every command, done, refused or denied, is
 * logged with its sender, except answered queries about blocks.
 */
public final class LocalCacheAdminService implements GenericRefreshProtocol {
  /** Identifies the local cache in the GenericRefreshProtocol. */
  public static final String IDENTIFIER = "localCache";

  private static final Logger LOG = LoggerFactory.getLogger(LocalCacheAdminService.class);
  private static final List<String> GET = List.of("get");
  private static final List<String> SET_ON = List.of("set", "on");
  private static final List<String> SET_OFF = List.of("set", "off");
  private static final String PERSIST = "persist";

  /** Also the answer to commands of 1.0, which send no JSON. */
  private static final String EXPECTED = "the local cache of this DataNode takes get, set on, set "
      + "off, and since version 1.1 other commands as JSON: use an hdfs localcache of its version; "
      + "got: ";

  private final OnOff onOff;
  private final Commands commands;
  private final SuperuserCheck superuser;

  LocalCacheAdminService(Configuration conf, OnOff onOff,
      Supplier<LocalCacheView> view, ReadTrace trace)
      throws IOException {
    this.onOff = Objects.requireNonNull(onOff, "onOff is null");
    this.commands = new Commands(conf, onOff, view, trace);
    this.superuser = new SuperuserCheck(conf);
  }

  /**
   * Adds the protocol to a DataNode's IPC server, before or after the server is started. Before is
   * better: the server keeps its protocols in a plain map that its handlers read without a lock.
   *
   * <p>This is a separate instance, not {@code RefreshRegistry.defaultRegistry()}: all DataNodes of
   * a JVM share that one, would answer for each other, and it checks no privilege.
   *
   * <p>The ACL {@code security.refresh.generic.protocol.acl} needs no code here: HDFS's policy
   * names the protocol, and the server looks it up by name whenever a client connects.
   *
   * <p>A server keeps one implementation of a protocol, the one added last. If another plugin
   * serves GenericRefreshProtocol on this server too, one replaces the other; no public method
   * tells which. If this one is replaced, the operator's commands report that the local cache is
   * not supported: use that plugin or this service.
   *
   * @param conf the DataNode's configuration
   * @param ipcServer the DataNode's IPC server
   * @param onOff what the commands switch
   * @param view gives the view for the other commands, or null while there is none
   * @param trace the trace of the DataNode's reads
   * @throws IOException when the protocol cannot be added
   */
  public static void register(Configuration conf, RPC.Server ipcServer, OnOff onOff,
      Supplier<LocalCacheView> view, ReadTrace trace)
      throws IOException {
    LocalCacheAdminService service =
        new LocalCacheAdminService(conf, onOff, view, trace);
    // It is logged here, with the command and its caller: no stack trace is needed.
    ipcServer.addTerseExceptions(AccessControlException.class);
    // DFSUtil's method for this has different names in Hadoop's releases.
    RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
    ipcServer.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, GenericRefreshProtocolPB.class,
        GenericRefreshProtocolService.newReflectiveBlockingService(
            new GenericRefreshProtocolServerSideTranslatorPB(service)));
  }

  @Override
  public Collection<RefreshResponse> refresh(String identifier, String[] args)
      throws IOException {
    List<String> command = List.of(args);
    Caller caller = Caller.current();
    checkPrivilege(caller, command);
    RefreshResponse response;
    try {
      check(identifier.equals(IDENTIFIER),
          "unknown identifier, expected " + IDENTIFIER + ", got: " + identifier);
      response = new RefreshResponse(0, run(command, caller));
    } catch (IllegalArgumentException e) {
      LOG.warn("Local cache: refused {} of {}: {}", LogText.of(command), caller,
          LogText.of(e.getMessage()));
      response = new RefreshResponse(-1, e.getMessage());
    }
    // The translator to protobuf does not accept null.
    response.setSenderName(IDENTIFIER);
    return List.of(response);
  }

  private void checkPrivilege(Caller caller, List<String> command) throws IOException {
    try {
      superuser.check(caller.user());
    } catch (AccessControlException e) {
      LOG.warn("Local cache: permission denied for command {} of {}", LogText.of(command), caller);
      throw e;
    }
  }

  /** @return the message. @throws IllegalArgumentException if nothing was done; says why */
  private String run(List<String> command, Caller caller) throws IOException {
    if (command.size() == 1 && command.get(0).startsWith("{")) {
      return commands.run(command.get(0), caller);
    }
    boolean keep = command.size() == 3 && command.get(2).equals(PERSIST);
    List<String> rest = keep ? command.subList(0, 2) : command;
    if (rest.equals(SET_ON) || rest.equals(SET_OFF)) {
      boolean on = rest.equals(SET_ON);
      if (keep) {
        // May wait for an SSD, so it must not hold the lock that a plain off needs.
        onOff.keep(on);
      }
      set(on, caller);
    } else {
      check(command.equals(GET), EXPECTED + String.join(" ", command));
      LOG.info("Local cache: state requested by {}", caller);
    }
    return (onOrOff() + " " + onOff.describe()).strip();
  }

  /** One at a time, so that the log names the right old state. */
  private synchronized void set(boolean on, Caller caller) {
    String before = onOrOff();
    onOff.setOn(on, "command of " + caller);
    LOG.info("Local cache: {} -> {} by command of {}", before, onOrOff(), caller);
  }

  private String onOrOff() {
    return onOff.isOn() ? "on" : "off";
  }
}
