/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

/**
 * What came out of a simulation. Rates are from 0 to 1.
 *
 * @param name what was simulated
 * @param limiter class of the limiter, or a hyphen
 * @param x its threshold, or a hyphen
 * @param y its window, or a hyphen
 * @param eviction policy of eviction
 * @param pageSize bytes of data in a page
 * @param capacity bytes that pages may take on the SSD
 * @param reads reads
 * @param bytes bytes read
 * @param hits reads served from SSD alone
 * @param partialHits reads served from both
 * @param missesAdmitted reads of admitted blocks of which nothing was on the SSD
 * @param missesNotAdmitted other reads of which nothing was on the SSD
 * @param offload share of all bytes that came from SSD: the byte hit rate
 * @param requestHitRate share of all reads that were hits
 * @param pageHitRate share of the pages of all reads that were on the SSD
 * @param reuseRate share of the hits among hits, partial hits and misses of admitted blocks
 * @param bytesWritten bytes written to the SSD
 * @param bytesWrittenPerDay the same in a day, the first filling included
 * @param driveWritesPerDay the same, in capacities
 * @param fills pages written to the SSD
 * @param evictions pages evicted
 * @param evictionsWithoutRead pages evicted that were never read from the SSD
 * @param diskReads reads that reached the disk, those for fills excluded
 * @param diskReadsSaved reads that did not
 * @param diskSeconds seconds that disks' heads were busy, fills included
 * @param diskSecondsSaved seconds less than without local cache
 * @param diskTimeSaved the same as share of the seconds without local cache
 * @param mostPages most pages on the SSD at a time
 * @param heapBytes heap for these pages and for the limiter, in bytes
 * @param partHours hours of each part of the trace
 * @param partOffload offload in each part; -1 if nothing was read in it
 */
public record Result(String name, String limiter, String x, String y, String eviction,
    int pageSize, long capacity, long reads, long bytes, long hits, long partialHits,
    long missesAdmitted, long missesNotAdmitted, double offload, double requestHitRate,
    double pageHitRate, double reuseRate, long bytesWritten, double bytesWrittenPerDay,
    double driveWritesPerDay, long fills, long evictions, long evictionsWithoutRead,
    long diskReads, long diskReadsSaved, double diskSeconds, double diskSecondsSaved,
    double diskTimeSaved, long mostPages, long heapBytes, double partHours,
    double[] partOffload) {

  /** Heap that a page costs the local cache, about; see dfs.datanode.local.cache.page.size. */
  static final int HEAP_PER_PAGE = 250;

  private static final double DAY_MILLIS = 86_400_000;
  private static final double HOUR_MILLIS = 3_600_000;

  static Result of(Setting setting, String name, PageTrace trace, Tally tally, Disk disk,
      long mostPages, long limiterHeap) {
    double perDay = tally.written / (trace.spanMillis() / DAY_MILLIS);
    double without = disk.seconds(trace.reads(), tally.bytes);
    double with = disk.seconds(tally.diskReads, tally.diskBytes);
    Limiter limiter = setting.limiter();
    return new Result(name, limiter.shortName(), limiter.x(), limiter.y(),
        setting.eviction().toString(), setting.pageSize(), setting.capacity(), trace.reads(),
        tally.bytes, tally.hits, tally.partialHits, tally.missesAdmitted, tally.missesNotAdmitted,
        share(tally.hitBytes, tally.bytes), share(tally.hits, trace.reads()),
        share(tally.pageHits, trace.accesses()),
        share(tally.hits, tally.hits + tally.partialHits + tally.missesAdmitted), tally.written,
        perDay, perDay / setting.capacity(), tally.fills, tally.evictions,
        tally.evictionsWithoutRead, tally.diskReads, trace.reads() - tally.diskReads, with,
        without - with, 1 - with / without, mostPages, mostPages * HEAP_PER_PAGE + limiterHeap,
        trace.spanMillis() / HOUR_MILLIS / Tally.PARTS, parts(tally));
  }

  private static double[] parts(Tally tally) {
    double[] parts = new double[Tally.PARTS];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = tally.partBytes[i] == 0 ? -1 : share(tally.partHitBytes[i], tally.partBytes[i]);
    }
    return parts;
  }

  private static double share(long part, long all) {
    return all == 0 ? 0 : (double) part / all;
  }
}
