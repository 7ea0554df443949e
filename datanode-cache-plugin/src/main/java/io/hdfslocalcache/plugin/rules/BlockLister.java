/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;


import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Finds out from the NameNode of one namespace which blocks paths have. Used by one thread. */
public interface BlockLister extends Closeable {

  /** Takes what is found. */
  interface Found {
    /**
     * Takes a block of which this DataNode has a replica.
     *
     * @param bytes bytes that the replica has
     * @return false if no more are wanted
     */
    boolean block(String blockPoolId, long blockId, long bytes);
  }

  /** @return the namespace, for the log. */
  String namespace();

  /**
   * Lists the blocks of files that fit a pattern, or are below a directory that does.
   *
   * @param paths absolute paths, perhaps with wildcards
   * @throws IOException if the NameNode cannot be asked, or refuses
   */
  void list(List<String> paths, Found found) throws IOException;

  @Override
  default void close() throws IOException {
  }
}
