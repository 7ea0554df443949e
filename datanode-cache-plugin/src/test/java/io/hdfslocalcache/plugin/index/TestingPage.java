/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

/** A page that is on no SSD. */
public final class TestingPage implements CachedPage {

  private final int number;
  private volatile int parts;

  /** @param parts those that are there, a bit for each */
  public TestingPage(int number, int parts) {
    this.number = number;
    this.parts = parts;
  }

  /** Adds parts of a page to those that a block has. */
  public static void add(BlockIndex index, CachedBlock block, int number, int parts) {
    if (block.page(number) instanceof TestingPage page) {
      page.parts |= parts;
    } else {
      index.pageAdded(block, new TestingPage(number, parts));
    }
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public int parts() {
    return parts;
  }

  @Override
  public void use() {
    // There is no order.
  }
}
