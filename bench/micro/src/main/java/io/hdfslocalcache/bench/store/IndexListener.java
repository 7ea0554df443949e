/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.store;

import java.io.IOException;

import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.space.PageListener;

/** Takes pages that come and go to an index, on an SSD on which there is room for all. */
final class IndexListener implements PageListener {

  private final BlockIndex index;

  IndexListener(BlockIndex index) {
    this.index = index;
  }

  @Override
  public void pageAdded(String fileId, long page, int parts) {
    index.pageAdded(fileId, page, parts);
  }

  @Override
  public void partsAdded(String fileId, long page, int parts) {
    index.partsAdded(fileId, page, parts);
  }

  @Override
  public void pageRemoved(String fileId, long page) {
    index.pageRemoved(fileId, page);
  }

  @Override
  public void pageEvicted(String fileId, long page) {
    throw new IllegalStateException("there is room for all");
  }

  @Override
  public void failed(Operation operation, IOException error) {
    throw new IllegalStateException(error);
  }
}
