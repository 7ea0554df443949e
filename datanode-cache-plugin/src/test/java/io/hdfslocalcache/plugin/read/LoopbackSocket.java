/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.apache.hadoop.net.SocketOutputStream;

/** A client and the stream that a DataNode writes to it, over a real connection. */
final class LoopbackSocket implements Closeable {

  private static final int TIMEOUT_MS = 60_000;

  private final Socket client;
  private final SocketChannel server;
  private final SocketOutputStream out;

  private LoopbackSocket(Socket client, SocketChannel server) throws IOException {
    this.client = client;
    this.server = server;
    this.out = new SocketOutputStream(server, TIMEOUT_MS);
  }

  static LoopbackSocket open() throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Socket client = new Socket();
      // Small buffers: the sender has to wait for the client now and then.
      client.setReceiveBufferSize(4096);
      client.connect(listener.getLocalAddress());
      SocketChannel server = listener.accept();
      server.setOption(StandardSocketOptions.SO_SNDBUF, 4096);
      return new LoopbackSocket(client, server);
    }
  }

  SocketOutputStream out() {
    return out;
  }

  /** Reads, in another thread, until the DataNode's side is closed. */
  CompletableFuture<byte[]> receiveAll() {
    return CompletableFuture.supplyAsync(() -> {
      try (InputStream in = client.getInputStream()) {
        return in.readAllBytes();
      } catch (IOException e) {
        throw new CompletionException(e);
      }
    });
  }

  /** The client reads exactly this many bytes. */
  byte[] receive(int bytes) throws IOException {
    return client.getInputStream().readNBytes(bytes);
  }

  /** The client goes away without reading. */
  void reset() throws IOException {
    client.setSoLinger(true, 0);
    client.close();
  }

  void closeServerSide() throws IOException {
    out.close();
    server.close();
  }

  @Override
  public void close() throws IOException {
    closeServerSide();
    client.close();
  }
}
