/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.net.unix.DomainSocket;

/**
 * The released DataNode, with a {@code libhadoop.so} that is older than its classes, and a socket
 * wherever the benchmark has its files.
 */
public final class ShortCircuitDataNode {

  private ShortCircuitDataNode() {
  }

  /** Starts it. */
  public static void main(String[] args) {
    prepareLibrary();
    // Else no directory above the socket may be writable by others, such as /tmp.
    DomainSocket.disableBindPathValidation();
    DataNode.main(args);
  }

  /**
   * To be called before anything else uses the library, if there is one: what it cannot do for
   * these classes fails, and it then undoes what it has set up for domain sockets by then.
   */
  static void prepareLibrary() {
    NativeIO.isAvailable();
    NativeIO.POSIX.isAvailable();
  }
}
