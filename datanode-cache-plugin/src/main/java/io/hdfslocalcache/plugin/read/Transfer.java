/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;

/**
 * Sends one packet to the client's socket, and measures the time. The packet's head is sent with
 * the first data, or before it. Used by one thread.
 */
final class Transfer {

  private final SocketOutputStream out;
  private final ByteBuffer head;
  private long waited;
  private long sending;

  Transfer(SocketOutputStream out, ByteBuffer head) {
    this.out = out;
    this.head = head;
  }

  /** Sends the rest of the head. */
  void sendHead() throws IOException {
    while (head.hasRemaining()) {
      if (out.write(head) < 0) {
        throw new IOException("The stream is closed");
      }
    }
  }

  /** Sends data of the replica, after the head. @return nanoseconds spent sending */
  long send(ReplicaFiles replica, long position, int length) throws IOException {
    LongWritable wait = new LongWritable();
    LongWritable transfer = new LongWritable();
    replica.transferTo(out, position, length, wait, transfer);
    waited += wait.get();
    sending += transfer.get();
    return transfer.get();
  }

  /**
   * Sends the rest of the head, then data of a page, as much as the socket accepts at once.
   *
   * @return bytes of data sent; 0 if the socket accepts no more now
   * @throws io.hdfslocalcache.plugin.memory.LostBytesException if the page cannot be read any more
   * @throws IOException if the socket fails
   */
  int send(PageBytes page, int position, int length) throws IOException {
    long begin = TimeAndThreads.get().nanoTime();
    try {
      return page.send(head, position, length, out.getChannel());
    } finally {
      sending += TimeAndThreads.get().nanoTime() - begin;
    }
  }

  /** Waits until the socket accepts more. That takes several system calls, and is rarely needed. */
  void awaitSocket() throws IOException {
    long begin = TimeAndThreads.get().nanoTime();
    out.waitForWritable();
    waited += TimeAndThreads.get().nanoTime() - begin;
  }

  /** @return nanoseconds spent waiting for the socket. */
  long waited() {
    return waited;
  }

  /** @return nanoseconds spent sending. */
  long sending() {
    return sending;
  }
}
