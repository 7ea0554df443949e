/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.util.MathArrays;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * The work of some readers for a while.
 *
 * @param kind kind of work
 * @param readers number of readers
 * @param size bytes of a positioned read
 * @param seconds duration; 0: until everything was read once
 * @param firstFile first of the files they read
 * @param files number of files they read
 * @param stride of {@link Kind#ONCE}: reads begin at multiples of it. By Zipf's law: bytes of a
 *     region; a region is drawn, then one of its ranges of {@code size} bytes
 * @param rate reads or writes per second and reader, or 0: the next as soon as the last is done
 * @param seed of the random offsets
 * @param part by Zipf's law: loads with other parts read the same regions most, at other offsets
 */
record Load(Kind kind, int readers, int size, double seconds, int firstFile, int files,
    int stride, double rate, long seed, int part) {

  /** Kinds of work. */
  enum Kind {
    /** Read whole files in order, starting at one chosen by the seed. */
    FILES,
    /** Positioned reads at random multiples of 4 KB. */
    RANDOM,
    /** The same without repeated offsets. Ends when everything was read. */
    ONCE,
    /** Positioned reads, some regions far more often than others; every byte is compared. */
    ZIPF,
    /** Write new files in order, {@code size} bytes at a time. */
    WRITE
  }

  /** Exponent of Zipf's law. */
  static final double EXPONENT = 0.9;

  private static final int ALIGNMENT = 4096;
  private static final int MAX_SECONDS = 600;
  private static final long MAX_NANOS = 300_000_000_000L;
  private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
    Thread thread = new Thread(task, "reader");
    thread.setDaemon(true);
    return thread;
  });

  /** The only part. */
  Load(Kind kind, int readers, int size, double seconds, int firstFile, int files, int stride,
      double rate, long seed) {
    this(kind, readers, size, seconds, firstFile, files, stride, rate, seed, 0);
  }

  /** Reads whole files. */
  static Load files(int readers, double seconds, int files) {
    return files(readers, seconds, files, 1);
  }

  private static Load files(int readers, double seconds, int files, long seed) {
    return new Load(Kind.FILES, readers, 1 << 20, seconds, 0, files, 0, 0, seed);
  }

  /** Reads at random offsets. */
  static Load random(int readers, int size, double seconds, int files, long seed) {
    return new Load(Kind.RANDOM, readers, size, seconds, 0, files, 0, 0, seed);
  }

  /** @return the same with another duration, at other offsets. */
  Load with(double otherSeconds, long otherSeed) {
    return new Load(
        kind, readers, size, otherSeconds, firstFile, files, stride, rate, otherSeed, part);
  }

  /** @return another part of it, with another duration. */
  Load part(int otherPart, double otherSeconds) {
    return new Load(
        kind, readers, size, otherSeconds, firstFile, files, stride, rate, seed, otherPart);
  }

  /**
   * The load of a path.
   *
   * @param name such as {@code seq-4} or {@code pread-64k-8}: the last number is the number of
   *     readers
   * @param files the files to read, the first ones
   */
  static Load named(String name, double seconds, int files, long seed) {
    String[] parts = name.split("-");
    int readers = Integer.parseInt(parts[parts.length - 1]);
    return parts[0].equals("seq") ? files(readers, seconds, files, seed)
        : random(readers, Integer.parseInt(parts[1].replace("k", "")) << 10, seconds, files, seed);
  }

  /**
   * The measurements of a load's readers.
   *
   * @param bytes of data
   * @param seconds from the first to the last
   * @param nanos durations of the reads, of whole files or of ranges
   * @param bySecond number of reads that ended in each second
   */
  record Result(long bytes, double seconds, Histogram nanos, AtomicLongArray bySecond) {

    /** @return number of reads. */
    long reads() {
      return nanos.getTotalCount();
    }

    /** @return reads that ended in some seconds, excluding the last one. */
    long reads(int fromSecond, int toSecond) {
      return LongStream.range(fromSecond, Math.min(toSecond, MAX_SECONDS))
          .map(second -> bySecond.get((int) second)).sum();
    }
  }

  /** Runs loads at the same time, to their end. @throws IOException if a read fails */
  static List<Result> run(BenchFiles files, Load... loads)
      throws IOException, InterruptedException {
    List<Run> runs = new ArrayList<>();
    try {
      for (Load load : loads) {
        runs.add(new Run(load, files));
      }
      // The measurement begins when all streams are open.
      long begin = System.nanoTime();
      runs.forEach(run -> run.begin(begin));
      List<Result> results = new ArrayList<>();
      for (Run run : runs) {
        results.add(run.result());
      }
      return results;
    } finally {
      runs.forEach(Run::giveBack);
    }
  }

  private boolean isOfRanges() {
    return kind != Kind.FILES && kind != Kind.WRITE;
  }

  /** Start offsets of reads over all files; negative: no more. */
  LongSupplier offsets(int reader) {
    long own = (seed * 100 + part) * 1000 + reader;
    if (kind == Kind.ZIPF) {
      return zipf(own);
    }
    SplittableRandom random = new SplittableRandom(own);
    long places = (BenchFiles.LENGTH - size) / ALIGNMENT + 1;
    return () -> random.nextInt(files) * BenchFiles.LENGTH + random.nextLong(places) * ALIGNMENT;
  }

  /** By Zipf's law: regions, the most-read first. Depends only on the seed. */
  private int[] regions() {
    int[] regions = MathArrays.natural(Math.toIntExact(files * (BenchFiles.LENGTH / stride)));
    MathArrays.shuffle(regions, new Well19937c(seed));
    return regions;
  }

  /** @return by Zipf's law: the files, the most-read first. */
  List<Integer> hottest() {
    double[] share = new double[files];
    int[] regions = regions();
    for (int i = 0; i < regions.length; i++) {
      share[(int) ((long) regions[i] * stride / BenchFiles.LENGTH)] += Math.pow(i + 1, -EXPONENT);
    }
    return IntStream.range(0, files).boxed()
        .sorted(Comparator.comparingDouble(file -> -share[file])).map(file -> firstFile + file)
        .toList();
  }

  private LongSupplier zipf(long own) {
    int[] regions = regions();
    RandomGenerator random = new Well19937c(own);
    ZipfDistribution ranks = new ZipfDistribution(random, regions.length, EXPONENT);
    return () -> (long) regions[ranks.sample() - 1] * stride
        + (long) random.nextInt(stride / size) * size;
  }

  /** Every multiple of the stride once, in random order. For all readers together. */
  LongSupplier once() {
    int[] order = MathArrays.natural(Math.toIntExact(files * (BenchFiles.LENGTH / stride)));
    MathArrays.shuffle(order, new Well19937c(seed));
    AtomicInteger next = new AtomicInteger();
    return () -> {
      int i = next.getAndIncrement();
      return i < order.length ? (long) order[i] * stride : -1;
    };
  }

  /** A running load. */
  private static final class Run {

    private final Load load;
    private final BenchFiles files;
    private final List<LongSupplier> offsets = new ArrayList<>();
    /** For positioned reads: one for each reader and file. */
    private final List<FSDataInputStream> streams = new ArrayList<>();
    private final AtomicInteger nextFile = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong lastNanos = new AtomicLong();
    private final Histogram nanos = new ConcurrentHistogram(MAX_NANOS, 3);
    private final AtomicLongArray bySecond = new AtomicLongArray(MAX_SECONDS);
    private final List<Future<?>> running = new ArrayList<>();
    private long begin;

    Run(Load load, BenchFiles files) throws IOException {
      this.load = load;
      this.files = files;
      LongSupplier shared = load.kind == Kind.ONCE ? load.once() : null;
      for (int reader = 0; load.isOfRanges() && reader < load.readers; reader++) {
        offsets.add(shared != null ? shared : load.offsets(reader));
        for (int file = 0; file < load.files; file++) {
          streams.add(files.borrow(load.firstFile + file));
        }
      }
    }

    void begin(long now) {
      begin = now;
      long end = load.seconds == 0 ? Long.MAX_VALUE : now + (long) (load.seconds * 1e9);
      for (int i = 0; i < load.readers; i++) {
        int reader = i;
        running.add(THREADS.submit(() -> {
          if (load.kind == Kind.FILES) {
            readFiles(end);
          } else if (load.kind == Kind.WRITE) {
            writeFiles(end);
          } else {
            readRanges(reader, end);
          }
          return null;
        }));
      }
    }

    private void readFiles(long end) throws IOException {
      byte[] buffer = new byte[load.size];
      int first = new SplittableRandom(load.seed).nextInt(load.files);
      while (System.nanoTime() < end) {
        int n = nextFile.getAndIncrement();
        if (load.seconds == 0 && n >= load.files) {
          break;
        }
        long asked = System.nanoTime();
        done(asked, files.read(load.firstFile + (first + n) % load.files, buffer, false));
      }
    }

    private void writeFiles(long end) throws IOException {
      byte[] buffer = new byte[load.size];
      long due = System.nanoTime();
      while (due < end) {
        int file = load.firstFile + nextFile.getAndIncrement();
        try (OutputStream out = files.create(file)) {
          for (long at = 0; at < BenchFiles.LENGTH && due < end; at += buffer.length) {
            due = await(due);
            long asked = System.nanoTime();
            BenchFiles.fill(file, at, buffer);
            out.write(buffer);
            done(asked, buffer.length);
          }
        }
      }
    }

    private void readRanges(int reader, long end) throws IOException {
      byte[] buffer = new byte[load.size];
      long due = System.nanoTime();
      LongSupplier places = offsets.get(reader);
      for (long at = places.getAsLong(); at >= 0 && due < end; at = places.getAsLong()) {
        due = await(due);
        long asked = System.nanoTime();
        int file = (int) (at / BenchFiles.LENGTH);
        long offset = at % BenchFiles.LENGTH;
        streams.get(reader * load.files + file).readFully(offset, buffer, 0, buffer.length);
        done(asked, buffer.length);
        if (load.kind == Kind.ZIPF) {
          BenchFiles.check(load.firstFile + file, offset, buffer, buffer.length);
        }
      }
    }

    /** @return when the next read is due. */
    private long await(long due) {
      if (load.rate == 0) {
        return System.nanoTime();
      }
      for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
      return due + (long) (1e9 / load.rate);
    }

    private void done(long asked, long length) {
      long now = System.nanoTime();
      nanos.recordValue(Math.min(now - asked, MAX_NANOS));
      bytes.addAndGet(length);
      lastNanos.accumulateAndGet(now - begin, Math::max);
      bySecond.incrementAndGet((int) Math.min((now - begin) / 1_000_000_000, MAX_SECONDS - 1));
    }

    Result result() throws IOException, InterruptedException {
      for (Future<?> reader : running) {
        try {
          reader.get();
        } catch (ExecutionException e) {
          throw e.getCause() instanceof IOException failed ? failed
              : new IOException(e.getCause());
        }
      }
      return new Result(bytes.get(), lastNanos.get() / 1e9, nanos, bySecond);
    }

    void giveBack() {
      for (int i = 0; i < streams.size(); i++) {
        files.giveBack(load.firstFile + i % load.files, streams.get(i));
      }
      streams.clear();
    }
  }
}
