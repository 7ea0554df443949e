/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.store;


import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.PageBytes;
import org.openjdk.jmh.annotations.Benchmark;

/** What it takes to know that a page is there, and to have its bytes at hand. */
public class LookUpBenchmark extends Nanoseconds {

  /** The block, as at the begin of a read. */
  @Benchmark
  public CachedBlock block(Pages pages) {
    return pages.index().find(pages.block().snapshot());
  }

  /** The page in memory, as when a read comes to it. */
  @Benchmark
  public boolean page(Pages pages, Target target) {
    try (PageBytes page = pages.memory().find(pages.block(), target.page())) {
      return page.origin() == PageBytes.Origin.MEMORY;
    }
  }

  /** One byte of the page from Alluxio's local cache as it comes. */
  @Benchmark
  public int alluxio(AlluxioPages pages, Target target) {
    return pages.read(target.page(), 0, target.array(), 1);
  }
}
