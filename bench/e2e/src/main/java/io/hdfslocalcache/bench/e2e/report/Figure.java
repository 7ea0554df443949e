/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.util.Locale;

/** What is measured, in the units in which it is shown. */
public enum Figure {
  MB_PER_SECOND("MB/s"),
  OPS_PER_SECOND("reads/s"),
  P50_MICROS("p50 us"),
  P99_MICROS("p99 us"),
  MAX_MICROS("max us"),
  /** CPU time of the DataNode, its JIT compiler left out. */
  CPU_SECONDS_PER_GB("CPU-s/GB"),
  CPU_MICROS_PER_READ("CPU us/read"),
  /** The same of the clients, which is all there is where they read past the DataNode. */
  CLIENT_CPU_SECONDS_PER_GB("client CPU-s/GB"),
  /** CPU time of the DataNode's JIT compiler while it was measured: much means it was not warm. */
  COMPILER_SECONDS("JIT CPU s"),
  SECONDS("s"),
  READS("reads"),
  /** Share of the bytes that came from pages, as the local cache says. */
  HIT_SHARE("hit share"),
  /** Errors that the local cache counted. */
  CACHE_ERRORS("errors"),
  /** Counted by the kernel, for the DataNode alone. */
  HDD_READS("HDD reads"),
  HDD_READ_BYTES("HDD bytes read"),
  /** Counted by the kernel, for the device. */
  HDD_DEVICE_READS("HDD device reads"),
  SSD_READS("SSD reads"),
  SSD_READ_BYTES("SSD bytes read"),
  SSD_WRITES("SSD writes"),
  SSD_WRITTEN_BYTES("SSD bytes written"),
  FILLED_BYTES("bytes filled"),
  PAGES_FILLED("pages filled"),
  /** Bytes of page files, as the local cache says: data, checksums, trailers. */
  PAGE_BYTES_WRITTEN("page bytes written"),
  /** What the HDD did, for readers and for fills, for what was filled meanwhile. */
  HDD_READS_PER_PAGE("HDD reads/page filled"),
  HDD_BYTES_PER_PAGE("HDD bytes/page filled"),
  HDD_READS_PER_MB_WRITTEN("HDD reads/MB written to the SSD"),
  /** Bytes written to the SSD for each byte that was filled. */
  WRITE_AMPLIFICATION("written/filled"),
  /** Mean size of a write to the SSD. */
  BYTES_PER_WRITE("bytes/write"),
  /** Throughput, or duration, against that of another path of the same DataNode. */
  AGAINST_8_READERS("reads/s / 8 readers"),
  P50_AGAINST_IDLE("p50 / idle");

  private final String title;

  Figure(String title) {
    this.title = title;
  }

  /** @return name with unit. */
  public String title() {
    return title;
  }

  /** @return name of the column in data files. */
  public String column() {
    return name().toLowerCase(Locale.ROOT);
  }
}
