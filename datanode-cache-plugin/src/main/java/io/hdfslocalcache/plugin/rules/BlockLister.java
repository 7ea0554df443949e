/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;


import java.io.Closeable;
import java.io.IOException;
import java.util.List;

import org.apache.hadoop.security.AccessControlException;

/** Lists the blocks of paths at the NameNode of one namespace, once. Used by one thread. */
public interface BlockLister extends Closeable {

  /** Receives the blocks. */
  interface Found {
    /**
     * Receives a block that has a replica on this DataNode.
     *
     * @param bytes bytes of the replica that clients read: 0 of parity
     * @return false if no more are wanted
     */
    boolean block(String blockPoolId, long blockId, long bytes);
  }

  /** @return the namespace, for the log. */
  String namespace();

  /**
   * Lists the blocks of files that match a pattern, or are below a matching directory.
   *
   * @param paths absolute paths, perhaps with wildcards
   * @throws AccessControlException if the NameNode refuses
   * @throws IOException if it does not answer
   */
  void list(List<String> paths, Found found) throws IOException;

  @Override
  default void close() throws IOException {
  }
}
