/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.eviction;

import io.hdfslocalcache.eviction.LazyLru;

/** What the DataNode runs: {@link LazyLru}. */
public final class DataNodePolicy implements EvictionPolicy {

  private final LazyLru order = new LazyLru();

  @Override
  public void add(Page page) {
    order.add(page);
  }

  @Override
  public boolean read(Page page) {
    return order.read(page);
  }

  @Override
  public void remove(Page page) {
    order.remove(page);
  }

  @Override
  public Page victim() {
    return (Page) order.victim();
  }
}
