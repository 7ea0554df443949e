/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.store;

import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.store.OpenPage;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** What it takes to know that a page is there, and to have its file at hand. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LookUpBenchmark {

  /** The block, as at the begin of a read. */
  @Benchmark
  public CachedBlock block(Pages pages) {
    return pages.index().find(pages.block().snapshot());
  }

  /** The page, as when a read comes to it. */
  @Benchmark
  public boolean page(Pages pages, Target target) {
    OpenPage open = pages.directory().acquireOpen(pages.block(), target.page());
    open.close();
    return open.proof() != null;
  }

  /** Whether 64 KB of the page are in memory: asked before they are sent. */
  @Benchmark
  public boolean pageInMemory(Pages pages, Target target) {
    int offset = target.offset(1 << 16);
    try (OpenPage open = pages.directory().acquireOpen(pages.block(), target.page())) {
      return open.isResident(offset, offset + (1 << 16));
    }
  }

  /** Whether all of a page is in memory as it was verified: asked before a whole page is sent. */
  @Benchmark
  public boolean pageProven(Pages pages, Target target) {
    try (OpenPage open = pages.directory().acquireOpen(pages.block(), target.page())) {
      return open.proof().holds(0, Pages.PAGE);
    }
  }

  /** One byte of the page from Alluxio's local cache as it comes. */
  @Benchmark
  public int alluxio(AlluxioPages pages, Target target) {
    return pages.read(target.page(), 0, target.array(), 1);
  }
}
