/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.HdrHistogram.Histogram;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.util.MathArrays;

/** Runs the readers of one or more loads at the same time. */
final class LoadRun {

  private final Files files;
  private final ExecutorService threads;

  /** @param threads has as many as are wanted */
  LoadRun(Files files, ExecutorService threads) {
    this.files = files;
    this.threads = threads;
  }

  /** @return one result for each load. */
  List<Load.Result> run(List<Load> loads) throws Exception {
    List<List<Reader>> readers = new ArrayList<>();
    try {
      for (Load load : loads) {
        readers.add(readers(load));
      }
      // What is measured begins when all streams are open.
      long begin = System.nanoTime();
      List<List<Future<Reader>>> running = new ArrayList<>();
      for (int i = 0; i < loads.size(); i++) {
        double seconds = loads.get(i).seconds();
        long deadline = seconds == 0 ? Long.MAX_VALUE : begin + (long) (seconds * 1e9);
        running.add(readers.get(i).stream()
            .map(reader -> threads.submit(() -> reader.read(begin, deadline))).toList());
      }
      List<Load.Result> results = new ArrayList<>();
      for (List<Future<Reader>> ofLoad : running) {
        results.add(result(ofLoad, begin));
      }
      return results;
    } finally {
      readers.forEach(ofLoad -> ofLoad.forEach(Reader::giveBack));
    }
  }

  private List<Reader> readers(Load load) throws IOException {
    boolean once = load.kind() == Load.Kind.PREAD && load.stride() != 0;
    Offsets shared = once ? Offsets.once(load, files.length()) : null;
    AtomicInteger nextFile = new AtomicInteger();
    List<Reader> readers = new ArrayList<>();
    for (int i = 0; i < load.readers(); i++) {
      Reader reader = new Reader(load, files,
          once ? shared : offsets(load, load.seed() * 1000 + i), nextFile);
      reader.open();
      readers.add(reader);
    }
    return readers;
  }

  private Offsets offsets(Load load, long seed) {
    return load.kind() == Load.Kind.ZIPF ? Offsets.zipf(load, files.length(), seed)
        : Offsets.random(load, files.length(), seed);
  }

  private static Load.Result result(List<Future<Reader>> readers, long begin) throws Exception {
    Histogram nanos = null;
    Reader.SecondsCount ended = new Reader.SecondsCount();
    long bytes = 0;
    long last = begin;
    for (Future<Reader> future : readers) {
      Reader reader = get(future);
      bytes += reader.bytes();
      ended.add(reader.ended());
      last = Math.max(last, reader.last());
      if (nanos == null) {
        nanos = reader.nanos();
      } else {
        nanos.add(reader.nanos());
      }
    }
    return Load.Result.of(nanos.getTotalCount(), bytes, (last - begin) / 1e9, nanos,
        ended.toList());
  }

  private static Reader get(Future<Reader> future) throws Exception {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Where positioned reads begin, numbered over all files of a load. */
  interface Offsets {

    /** Of Zipf's law: how much more often the first region is read than the others. */
    double EXPONENT = 0.9;

    /** @return file number times file length plus offset, or negative: there is no more. */
    long next();

    /** Random multiples of 4 KB from which a whole read fits into the file. For one thread. */
    static Offsets random(Load load, long fileLength, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      long places = (fileLength - load.size()) / 4096 + 1;
      return () -> random.nextInt(load.files()) * fileLength + random.nextLong(places) * 4096;
    }

    /**
     * Random places of random regions, the region by Zipf's law. Which regions are read most
     * follows from the load's seed alone, and lies here and there in all files. For one thread.
     *
     * @param seed of this thread's draws
     */
    static Offsets zipf(Load load, long fileLength, long seed) {
      int[] regions =
          MathArrays.natural(Math.toIntExact(load.files() * (fileLength / load.stride())));
      MathArrays.shuffle(regions, new Well19937c(load.seed()));
      RandomGenerator random = new Well19937c(seed);
      ZipfDistribution ranks = new ZipfDistribution(random, regions.length, EXPONENT);
      int places = load.stride() / load.size();
      return () -> (long) regions[ranks.sample() - 1] * load.stride()
          + (long) random.nextInt(places) * load.size();
    }

    /** Every multiple of the load's stride once, in random order. For all threads together. */
    static Offsets once(Load load, long fileLength) {
      int count = Math.toIntExact(load.files() * (fileLength / load.stride()));
      int[] order = new int[count];
      SplittableRandom random = new SplittableRandom(load.seed());
      for (int i = 0; i < count; i++) {
        int j = random.nextInt(i + 1);
        order[i] = order[j];
        order[j] = i;
      }
      AtomicInteger next = new AtomicInteger();
      return () -> {
        int i = next.getAndIncrement();
        return i < count ? (long) order[i] * load.stride() : -1;
      };
    }
  }
}
