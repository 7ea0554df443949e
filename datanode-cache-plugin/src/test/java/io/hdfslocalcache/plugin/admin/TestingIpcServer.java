/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.admin;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolClientSideTranslatorPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolServerSideTranslatorPB;

/** A real IPC server and client without a DataNode around them. */
final class TestingIpcServer implements AutoCloseable {
  private final Configuration conf;
  private final RPC.Server server;

  /** A server that is not started, with another handler of GenericRefreshProtocol. */
  TestingIpcServer(Configuration conf) throws IOException {
    this.conf = conf;
    RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
    GenericRefreshProtocol somebodyElse = (identifier, args) -> {
      RefreshResponse response = new RefreshResponse(0, "somebody else");
      response.setSenderName("somebody else");
      return List.of(response);
    };
    server = new RPC.Builder(conf)
        .setProtocol(GenericRefreshProtocolPB.class)
        .setInstance(GenericRefreshProtocolService.newReflectiveBlockingService(
            new GenericRefreshProtocolServerSideTranslatorPB(somebodyElse)))
        .setBindAddress("localhost").setPort(0).setNumHandlers(2)
        .build();
  }

  RPC.Server server() {
    return server;
  }

  /** Sends one command over the wire, as the current user, and returns the only answer. */
  RefreshResponse send(String identifier, String... args) throws IOException {
    InetSocketAddress address = new InetSocketAddress("localhost", server.getPort());
    try (GenericRefreshProtocolClientSideTranslatorPB client =
        new GenericRefreshProtocolClientSideTranslatorPB(RPC.getProxy(
            GenericRefreshProtocolPB.class, RPC.getProtocolVersion(GenericRefreshProtocolPB.class),
            address, conf))) {
      Collection<RefreshResponse> responses = client.refresh(identifier, args);
      if (responses.size() != 1) {
        throw new AssertionError("not one answer: " + responses);
      }
      return responses.iterator().next();
    }
  }

  @Override
  public void close() {
    server.stop();
  }
}
