/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import org.HdrHistogram.Histogram;

import io.hdfslocalcache.bench.e2e.client.Load;
import io.hdfslocalcache.bench.e2e.report.Figure;
import io.hdfslocalcache.bench.e2e.report.Row;

/**
 * The slices of one DataNode with one load in one round, added up: so that a slice in which more was
 * read weighs more, and percentiles are those of all reads.
 */
final class SliceSum {

  private static final double MB = 1e6;
  private static final double GB = 1e9;
  private static final double MICROS = 1e6;

  private long ops;
  private long bytes;
  private double seconds;
  private Histogram nanos;
  private long opsOfAll;
  private long bytesOfAll;
  private double cpu;
  private double compiler;
  private long hit;
  private long served;
  private long errors;

  /**
   * Adds a slice.
   *
   * @param load which of the loads that ran at the same time; CPU is that of all
   */
  SliceSum add(Slice slice, int load) {
    Load.Result result = slice.results().get(load);
    ops += result.ops();
    bytes += result.bytes();
    seconds += result.seconds();
    if (nanos == null) {
      nanos = result.nanos();
    } else {
      nanos.add(result.nanos());
    }
    for (Load.Result any : slice.results()) {
      opsOfAll += any.ops();
      bytesOfAll += any.bytes();
    }
    cpu += slice.cpu().seconds();
    compiler += slice.cpu().compilerSeconds();
    hit += slice.bytesHit();
    served += slice.bytesServed();
    errors += slice.errors();
    return this;
  }

  /** @return the round's figures. */
  Row row(String path, String variant, int round) {
    return Row.of(path, variant, round)
        .set(Figure.SECONDS, seconds)
        .set(Figure.READS, ops)
        .set(Figure.MB_PER_SECOND, bytes / MB / seconds)
        .set(Figure.OPS_PER_SECOND, ops / seconds)
        .set(Figure.P50_MICROS, nanos.getValueAtPercentile(50) / 1e3)
        .set(Figure.P99_MICROS, nanos.getValueAtPercentile(99) / 1e3)
        .set(Figure.MAX_MICROS, nanos.getMaxValue() / 1e3)
        .set(Figure.CPU_SECONDS_PER_GB, cpu / (bytesOfAll / GB))
        .set(Figure.CPU_MICROS_PER_READ, cpu * MICROS / opsOfAll)
        .set(Figure.COMPILER_SECONDS, compiler)
        .set(Figure.HIT_SHARE, served == 0 ? 0 : (double) hit / served)
        .set(Figure.CACHE_ERRORS, errors);
  }
}
