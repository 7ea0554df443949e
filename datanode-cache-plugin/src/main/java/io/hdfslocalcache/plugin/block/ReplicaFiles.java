/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;

import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/**
 * An open replica on its data volume: block file and meta file. Whoever opens it is its first user;
 * the last one closes the files. Thread-safe.
 */
public interface ReplicaFiles extends Closeable {

  /** Opens the old state of a changed replica from the present place of its files. */
  interface Opener {
    /**
     * Waits for the data volume. If the replica was truncated, only whole chunks below the cut can be
     * read.
     *
     * @param snapshot the old state
     * @throws java.io.FileNotFoundException if a file is missing, or is being moved
     * @throws IOException if a file cannot be read, or the old content was overwritten
     */
    ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException;

    /**
     * @param before opener of the place before the last change
     * @return an opener that combines both
     */
    default Opener since(Opener before) {
      return this;
    }

    /** @return whether the replica was removed: later changes of its block concern another. */
    default boolean isLast() {
      return false;
    }
  }

  /**
   * @return the identity of the replica. It is read before the files are opened: if another replica
   *     replaces them in between, the identity is the older one, so the pages are not restored. The
   *     identity is never newer than the bytes. Null if the files are not for filling pages.
   */
  ReplicaIdentity identity();

  /**
   * Reads checksum type and chunk size from the header of the meta file.
   *
   * @throws IOException if there is no such header
   */
  DataChecksum checksum() throws IOException;

  /**
   * Fills the buffer from the block file.
   *
   * @param position offset in the block
   * @throws IOException if the file ends before the buffer is full
   */
  void readData(long position, ByteBuffer buffer) throws IOException;

  /**
   * Fills the buffer from the checksums in the meta file.
   *
   * @param position offset in the checksums; 0 is the checksum of the first chunk
   * @throws IOException if the file ends before the buffer is full
   */
  void readChecksums(long position, ByteBuffer buffer) throws IOException;

  /**
   * Sends data of the block straight to a socket.
   *
   * @param position offset in the block
   * @param waitTime set to the nanoseconds spent waiting for the socket
   * @param transferTime set to the nanoseconds spent sending
   */
  void transferTo(SocketOutputStream out, long position, int length, LongWritable waitTime,
      LongWritable transferTime) throws IOException;

  /** Adds a user, who closes this too. @return false if it is closed already */
  boolean retain();

  /** Removes a user. The files are closed with the last one. */
  @Override
  void close();

  /** @return the open block file, for hints to the OS, or null if hints are of no use. */
  default FileDescriptor dataDescriptor() {
    return null;
  }
}
