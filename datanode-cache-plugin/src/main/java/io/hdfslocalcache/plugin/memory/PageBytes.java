/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Verified bytes of a page with their checksums, in the DataNode's own memory: no SSD or file
 * system can change, drop or delay them. Shared by all readers, each of which closes its reference;
 * the bytes stay until the last is closed.
 *
 * <p>Positions are in the page's data unless stated otherwise.
 */
public interface PageBytes extends Closeable {

  /** @return whether it has this whole range of the page's data. */
  boolean covers(int from, int to);

  /** The origin of bytes. */
  enum Origin {
    /** Read from the replica by this reader. */
    REPLICA,
    SSD,
    /** In memory, shared with others. */
    MEMORY
  }

  /** @return their origin. */
  Origin origin();

  /** Fills the buffer with data. @throws LostBytesException if the bytes are lost */
  void readData(int position, ByteBuffer target) throws IOException;

  /**
   * Fills the buffer with checksums, of chunks that are {@link #covers covered}.
   *
   * @param position among the checksums of the page
   * @throws LostBytesException if the bytes cannot be had any more
   */
  void readChecksums(int position, ByteBuffer target) throws IOException;

  /**
   * Sends the rest of a head, then data, as much as the socket accepts at once.
   *
   * @param socket not blocking
   * @return bytes of data sent; 0 if the socket accepts no more now, perhaps not even all of the
   *     head
   * @throws LostBytesException if the bytes cannot be had any more
   * @throws IOException if the socket fails
   */
  int send(ByteBuffer head, int position, int length, WritableByteChannel socket)
      throws IOException;

  /** @return another reference, to be closed too. Call only while holding one. */
  PageBytes share();

  @Override
  void close();
}
