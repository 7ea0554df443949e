/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.shaded;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageStore;
import io.hdfslocalcache.shaded.alluxio.exception.PageNotFoundException;
import io.hdfslocalcache.shaded.alluxio.file.ReadTargetBuffer;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A page store of our own, as small as its interface allows: pages are kept on the heap. */
final class MapPageStore implements PageStore {
  final Map<PageId, byte[]> pages = new ConcurrentHashMap<>();

  @Override
  public void put(PageId id, ByteBuffer page, boolean temporary) {
    byte[] bytes = new byte[page.remaining()];
    page.get(bytes);
    pages.put(id, bytes);
  }

  @Override
  public int get(PageId id, int offset, int length, ReadTargetBuffer target, boolean temporary)
      throws PageNotFoundException {
    byte[] page = pages.get(id);
    if (page == null) {
      throw new PageNotFoundException(id.toString());
    }
    target.writeBytes(page, offset, length);
    return length;
  }

  @Override
  public void delete(PageId id) throws PageNotFoundException {
    if (pages.remove(id) == null) {
      throw new PageNotFoundException(id.toString());
    }
  }

  @Override
  public void close() {
    pages.clear();
  }
}
