/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.List;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolServerSideTranslatorPB;
import org.junit.Test;

/** The verbs against servers that do not know them. */
public class TestOtherServers {
  private final Configuration conf = new Configuration();

  @Test
  public void status_olderPlugin_saysSo() throws Exception {
    // Word for word what the first version of the plugin answers.
    try (Server server = new Server(-1, "expected get, set on or set off, got: status")) {
      CommandResult.ofVerb(conf, "status", server.address()).assertFailed(server.address()
          + ": its local cache is older than this command and does not know status");
      CommandResult.ofVerb(conf, "clear", server.address()).assertFailed(server.address()
          + ": its local cache is older than this command and does not know clear");
    }
  }

  @Test
  public void status_refusal_isPassedOn() throws Exception {
    try (Server server = new Server(-1, "not\n now")) {
      CommandResult.ofVerb(conf, "status", server.address())
          .assertFailed(server.address() + ": not now");
    }
  }

  @Test
  public void status_noJson_fails() throws Exception {
    try (Server server = new Server(0, "on {")) {
      CommandResult.ofVerb(conf, "status", server.address())
          .assertFailed(server.address() + ": its answer is not JSON: on {");
    }
  }

  /** Gives one and the same answer. */
  private final class Server implements AutoCloseable {
    private final RPC.Server server;

    Server(int code, String message) throws Exception {
      RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
      GenericRefreshProtocol protocol = (identifier, args) -> {
        RefreshResponse response = new RefreshResponse(code, message);
        response.setSenderName(identifier);
        return List.of(response);
      };
      server = new RPC.Builder(conf).setProtocol(GenericRefreshProtocolPB.class)
          .setInstance(GenericRefreshProtocolService.newReflectiveBlockingService(
              new GenericRefreshProtocolServerSideTranslatorPB(protocol)))
          .setBindAddress("127.0.0.1").setPort(0).setNumHandlers(1).build();
      server.start();
    }

    String address() {
      return "127.0.0.1:" + server.getPort();
    }

    @Override
    public void close() {
      server.stop();
    }
  }
}
