/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.store;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.memory.PageBytes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Finding a page and reading some of it: in the local cache's memory, from the SSD, and from files
 * that are in the OS page cache.
 */
@State(Scope.Benchmark)
public class ReadBenchmark extends Nanoseconds {

  /** Bytes of a read. */
  @Param({"4096", "65536"})
  public int size;

  /** The memory tier, to memory outside the heap. */
  @Benchmark
  public int memoryDirect(Pages pages, Target target) throws IOException {
    return readMemory(pages, target, target.direct(size));
  }

  /** The memory tier, to the heap. */
  @Benchmark
  public int memoryHeap(Pages pages, Target target) throws IOException {
    return readMemory(pages, target, target.heap(size));
  }

  private int readMemory(Pages pages, Target target, ByteBuffer buffer) throws IOException {
    try (PageBytes page = pages.memory().find(pages.block(), target.page())) {
      page.readData(target.offset(size), buffer);
      return buffer.position();
    }
  }

  /** The SSD, read past the OS page cache and verified, by a thread of the SSD's. */
  @Benchmark
  public int ssd(Pages pages, Target target) throws IOException {
    int from = target.offset(size);
    ByteBuffer buffer = target.direct(size);
    try (PageBytes page = pages.fetches().get(
        pages.directory(), pages.block(), target.page(), from, from + size, from + size)) {
      page.readData(from, buffer);
      return buffer.position();
    }
  }

  /** A file that is open already, to memory outside the heap. */
  @Benchmark
  public int fileDirect(RawFiles files, Target target) throws IOException {
    return files.read(target.page(), target.offset(size), target.direct(size));
  }

  /** A file that is open already, to the heap. */
  @Benchmark
  public int fileHeap(RawFiles files, Target target) throws IOException {
    return files.read(target.page(), target.offset(size), target.heap(size));
  }

  /** Alluxio's local cache as it comes. */
  @Benchmark
  public int alluxioHeap(AlluxioPages pages, Target target) {
    return pages.read(target.page(), target.offset(size), target.array(), size);
  }
}
