/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;


import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;

/** Wants to hear of nothing, and expects that nothing fails. */
public class NoListener implements PageListener {

  @Override
  public void pageAdded(StoredPage page) {
  }

  @Override
  public void pageRemoved(StoredPage page) {
  }

  @Override
  public void pageEvicted(StoredPage page) {
  }

  @Override
  public void failed(Operation operation, Throwable error) {
    throw new AssertionError(operation.name(), error);
  }
}
