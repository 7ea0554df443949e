/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Verified bytes of a page with their checksums, in memory of the DataNode's own: no SSD and no
 * file system below can change, drop or hold up a byte. Shared by all who read them; each closes
 * what it got, and they stay as long as somebody holds them.
 *
 * <p>Positions are in the page's data, unless something else is said.
 */
public interface PageBytes extends Closeable {

  /** @return whether all of this part of the page's data is here. */
  boolean covers(int from, int to);

  /** Where bytes are from. */
  enum Origin {
    /** Read from the replica by this reader. */
    REPLICA,
    SSD,
    /** In memory for others, too. */
    MEMORY
  }

  /** @return where they are from. */
  Origin origin();

  /** Fills the buffer with data. @throws LostBytesException if the bytes cannot be had any more */
  void readData(int position, ByteBuffer target) throws IOException;

  /**
   * Fills the buffer with checksums, of chunks that are {@link #covers covered}.
   *
   * @param position among the checksums of the page
   * @throws LostBytesException if the bytes cannot be had any more
   */
  void readChecksums(int position, ByteBuffer target) throws IOException;

  /**
   * Sends what is left of a head, and then data, as far as the socket takes it at once.
   *
   * @param socket not blocking
   * @return bytes of data sent; 0 if the socket takes no more now, perhaps not even all of the head
   * @throws LostBytesException if the bytes cannot be had any more
   * @throws IOException if the socket fails
   */
  int send(ByteBuffer head, int position, int length, WritableByteChannel socket)
      throws IOException;

  /** @return the same for one more user, who closes it too. For users only. */
  PageBytes share();

  @Override
  void close();
}
