/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolServerSideTranslatorPB;

/** A Hadoop RPC server with one handler, in the place of a DataNode's. */
final class StandIn implements AutoCloseable {
  private final CountDownLatch closed;
  private final RPC.Server server;

  private StandIn(Configuration conf, GenericRefreshProtocol protocol, CountDownLatch closed)
      throws IOException {
    this.closed = closed;
    RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
    server = new RPC.Builder(conf).setProtocol(GenericRefreshProtocolPB.class)
        .setInstance(GenericRefreshProtocolService.newReflectiveBlockingService(
            new GenericRefreshProtocolServerSideTranslatorPB(protocol)))
        .setBindAddress("127.0.0.1").setPort(0).setNumHandlers(1).build();
    server.start();
  }

  /** @return one that always gives the same answer. */
  static StandIn answering(Configuration conf, int code, String message) throws IOException {
    return answering(conf, code, message, 0);
  }

  /** The same after a while, as a DataNode that waits for an SSD. */
  static StandIn answering(Configuration conf, int code, String message, long afterMillis)
      throws IOException {
    return new StandIn(conf, (identifier, args) -> {
      Session.pause(afterMillis);
      RefreshResponse response = new RefreshResponse(code, message);
      response.setSenderName(identifier);
      return List.of(response);
    }, new CountDownLatch(0));
  }

  /** @return one that accepts every call and answers none. */
  static StandIn hanging(Configuration conf) throws IOException {
    CountDownLatch closed = new CountDownLatch(1);
    return new StandIn(conf, (identifier, args) -> {
      try {
        closed.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException(e.getMessage());
      }
      return List.of();
    }, closed);
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop();
  }
}
