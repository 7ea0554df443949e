/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.store.OpenPage;

/** Where a reader gets pages from. No method throws: without a page, the replica is read. */
public interface PageSource {

  /** @return whether pages may be used at this moment. */
  boolean isOn();

  /** @return the page, to be closed by the caller, or null if it cannot be had. */
  OpenPage acquire(CachedBlock block, int page);

  /** A page could not be read. The reader will not ask for it again. */
  void failed(CachedBlock block, int page, Operation operation, Exception error);
}
