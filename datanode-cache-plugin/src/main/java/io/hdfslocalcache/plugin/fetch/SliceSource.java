/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fetch;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageSlice;

/** What a slice of a page can be read from. */
public interface SliceSource {

  /**
   * Reads chunks and tails.
   *
   * @param buffer of the slice
   * @throws io.hdfslocalcache.plugin.ssd.PageNotReadException if there is no such page
   * @throws IOException if they cannot be read
   */
  void read(CachedBlock block, PageSlice slice, ByteBuffer buffer) throws IOException;
}
