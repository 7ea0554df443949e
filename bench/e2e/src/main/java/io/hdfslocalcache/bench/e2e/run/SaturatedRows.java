/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.bench.e2e.cluster.CacheCounters;
import io.hdfslocalcache.bench.e2e.cluster.Cluster;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Results.Row;
import io.hdfslocalcache.harness.disk.LoopDisk.DiskStat;

/** The figures of a long run: of all of it, of its end, and of each ten seconds. */
final class SaturatedRows {

  /** Seconds in a step. */
  static final int STEP = 10;
  /** From when on the local cache is expected to have relieved the HDD. */
  static final int RELIEVED = 60;

  private final List<Long> reads;
  private final List<Counts> counts;

  /**
   * Takes over what was measured.
   *
   * @param reads that ended in each second
   * @param counts at the beginning and after each step
   */
  SaturatedRows(List<Long> reads, List<Counts> counts) {
    this.reads = reads;
    this.counts = counts;
  }

  private int steps() {
    return counts.size() - 1;
  }

  /** @return reads of each second, without those that ended too late, and with all seconds. */
  List<Long> seconds() {
    List<Long> seconds = new ArrayList<>();
    for (int second = 0; second < steps() * STEP; second++) {
      seconds.add(second < reads.size() ? reads.get(second) : 0);
    }
    return seconds;
  }

  /** @param whole the figures of the whole run, named as the path; gets more of them */
  List<Row> rows(Row whole) {
    List<Row> rows = new ArrayList<>();
    Row all = new Row(whole.path() + "/all-" + steps() * STEP + "s", whole.variant(),
        whole.round(), whole.figures());
    rows.add(span(all, 0, steps()));
    int relieved = RELIEVED / STEP;
    if (steps() > relieved) {
      rows.add(span(row(whole, "from-" + RELIEVED + "s"), relieved, steps()));
    }
    for (int step = 0; step < steps(); step++) {
      String name = step * STEP + "-" + (step + 1) * STEP + "s";
      rows.add(span(row(whole, name), step, step + 1));
    }
    return rows;
  }

  private static Row row(Row whole, String name) {
    return Row.of(whole.path() + "/" + name, whole.variant(), whole.round());
  }

  private Row span(Row row, int from, int to) {
    long sum = seconds().subList(from * STEP, to * STEP).stream().mapToLong(n -> n).sum();
    int length = (to - from) * STEP;
    row.set(Figure.READS, sum).set(Figure.SECONDS, length)
        .set(Figure.OPS_PER_SECOND, (double) sum / length);
    return counts.get(to).addTo(row, counts.get(from));
  }

  /**
   * What was counted up to one moment.
   *
   * @param hdd the HDD, for the DataNode alone
   * @param ssd the SSD, for whomever
   * @param cache the local cache; all zero in a stock DataNode
   */
  record Counts(DiskStat hdd, DiskStat ssd, CacheCounters cache) {

    private static final double MB = 1e6;

    static Counts now(HddDisks disks, Cluster cluster) throws IOException {
      return new Counts(disks.group().stat(), disks.ssd().stat(), cluster.counters());
    }

    /** Adds to a row what has come since an earlier moment. @return the row. */
    Row addTo(Row row, Counts earlier) {
      DiskStat read = hdd.since(earlier.hdd);
      DiskStat written = ssd.since(earlier.ssd);
      long pages = cache.fills() - earlier.cache.fills();
      long pageBytes = cache.written() - earlier.cache.written();
      row.set(Figure.HDD_READS, read.reads()).set(Figure.HDD_READ_BYTES, read.bytesRead())
          .set(Figure.SSD_READS, written.reads()).set(Figure.SSD_READ_BYTES, written.bytesRead())
          .set(Figure.SSD_WRITES, written.writes())
          .set(Figure.SSD_WRITTEN_BYTES, written.bytesWritten())
          .set(Figure.PAGES_FILLED, pages)
          .set(Figure.FILLED_BYTES, cache.filled() - earlier.cache.filled())
          .set(Figure.PAGE_BYTES_WRITTEN, pageBytes);
      if (pages > 0) {
        row.set(Figure.HDD_READS_PER_PAGE, (double) read.reads() / pages)
            .set(Figure.HDD_BYTES_PER_PAGE, (double) read.bytesRead() / pages);
      }
      if (pageBytes > 0) {
        row.set(Figure.HDD_READS_PER_MB_WRITTEN, read.reads() / (pageBytes / MB));
      }
      return row;
    }

    /** Notes what is counted while something else runs: at its beginning, and again and again. */
    static final class Log implements AutoCloseable {

      private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
      private final List<Future<Counts>> noted = new ArrayList<>();
      private final Counter counter;
      private final Counts first;

      /** Says what is counted at the moment. */
      interface Counter {
        Counts now() throws IOException;
      }

      /**
       * Begins now.
       *
       * @param step seconds from one note to the next
       * @param steps number of steps
       */
      Log(Counter counter, long step, int steps) throws IOException {
        this.counter = counter;
        this.first = counter.now();
        for (int i = 1; i < steps; i++) {
          noted.add(thread.schedule(counter::now, i * step, TimeUnit.SECONDS));
        }
      }

      /**
       * Ends with what is counted now.
       *
       * @return all notes, one more than there are steps
       * @throws IOException if the counters could not be read
       */
      List<Counts> end() throws IOException, InterruptedException {
        List<Counts> all = new ArrayList<>(List.of(first));
        try {
          for (Future<Counts> note : noted) {
            all.add(note.get());
          }
        } catch (ExecutionException e) {
          throw new IOException("the counters cannot be read: " + e.getCause().getMessage(), e);
        }
        all.add(counter.now());
        return all;
      }

      @Override
      public void close() {
        thread.shutdownNow();
      }
    }
  }
}
