/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fetch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

import io.hdfslocalcache.plugin.memory.PageBytes;

/** Bytes for the reader that has fetched them from the replica: those who share them did not. */
record OwnVisit(PageBytes bytes) implements PageBytes {

  @Override
  public Origin origin() {
    return Origin.REPLICA;
  }

  @Override
  public boolean covers(int from, int to) {
    return bytes.covers(from, to);
  }

  @Override
  public void readData(int position, ByteBuffer target) throws IOException {
    bytes.readData(position, target);
  }

  @Override
  public void readChecksums(int position, ByteBuffer target) throws IOException {
    bytes.readChecksums(position, target);
  }

  @Override
  public int send(ByteBuffer head, int position, int length, WritableByteChannel socket)
      throws IOException {
    return bytes.send(head, position, length, socket);
  }

  @Override
  public PageBytes share() {
    bytes.share();
    return this;
  }

  @Override
  public void close() {
    bytes.close();
  }
}
