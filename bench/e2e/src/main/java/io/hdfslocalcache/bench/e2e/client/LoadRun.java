/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.HdrHistogram.Histogram;

/** Runs the readers of one or more loads at the same time. */
final class LoadRun {

  private final Files files;

  LoadRun(Files files) {
    this.files = files;
  }

  /** @return one result for each load. */
  List<LoadResult> run(List<Load> loads) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      long begin = System.nanoTime();
      List<List<Future<Reader>>> readers = new ArrayList<>();
      for (Load load : loads) {
        readers.add(start(load, begin, threads));
      }
      List<LoadResult> results = new ArrayList<>();
      for (List<Future<Reader>> ofLoad : readers) {
        results.add(result(ofLoad, begin));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  private List<Future<Reader>> start(Load load, long begin, ExecutorService threads) {
    long deadline = load.seconds() == 0 ? Long.MAX_VALUE : begin + (long) (load.seconds() * 1e9);
    Offsets shared = load.stride() == 0 ? null : Offsets.once(load, files.length());
    AtomicInteger nextFile = new AtomicInteger();
    List<Future<Reader>> readers = new ArrayList<>();
    for (int i = 0; i < load.readers(); i++) {
      Offsets offsets = shared != null ? shared
          : Offsets.random(load, files.length(), load.seed() * 1000 + i);
      readers.add(threads.submit(new Reader(load, files, offsets, nextFile, deadline)));
    }
    return readers;
  }

  private static LoadResult result(List<Future<Reader>> readers, long begin) throws Exception {
    Histogram nanos = null;
    long bytes = 0;
    long last = begin;
    for (Future<Reader> future : readers) {
      Reader reader = get(future);
      bytes += reader.bytes();
      last = Math.max(last, reader.last());
      if (nanos == null) {
        nanos = reader.nanos();
      } else {
        nanos.add(reader.nanos());
      }
    }
    return new LoadResult(nanos.getTotalCount(), bytes, (last - begin) / 1e9,
        nanos.getValueAtPercentile(50) / 1e3, nanos.getValueAtPercentile(99) / 1e3,
        nanos.getMaxValue() / 1e3);
  }

  private static Reader get(Future<Reader> future) throws Exception {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
