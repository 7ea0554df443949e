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

/** An open replica on its data volume: block file and meta file. May be used by many threads. */
public interface ReplicaFiles extends Closeable {

  /** Opens a replica that has changed since, as it was, from where its files are now. */
  interface Opener {
    /**
     * Waits for the data volume.
     *
     * @param snapshot what it was
     * @throws IOException if its files are not there, or no longer say what they said
     */
    ReplicaFiles open(ReplicaSnapshot snapshot) throws IOException;

    /**
     * @param before opened it from where it was before the last change
     * @return opens it with what both know
     */
    default Opener since(Opener before) {
      return this;
    }

    /** @return whether the replica has left: what becomes of its block later is of another one. */
    default boolean isLast() {
      return false;
    }
  }

  /**
   * @return of which replica these bytes are. It is read before the files are opened: if another
   *     replica takes their place in between, the identity is of the older one, so the pages are
   *     not restored. Never is the identity of a newer replica with the bytes of an older one. Null
   *     if the files are not for filling pages.
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

  /** @return the open block file, for hints to the OS, or null if hints are of no use. */
  default FileDescriptor dataDescriptor() {
    return null;
  }
}
