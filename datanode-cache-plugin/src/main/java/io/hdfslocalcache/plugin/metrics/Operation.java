/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

/** What the local cache was doing when an error occurred. */
public enum Operation {
  /** Asking the rate limiter. */
  ADMISSION("Admission"),
  /** Looking for a block or page. */
  LOOKUP("Lookup"),
  /** Reading a page file. */
  PAGE_READ("PageRead"),
  /** Reading a page in memory. */
  MEMORY_READ("MemoryRead"),
  /** Writing or publishing a page file. */
  PAGE_WRITE("PageWrite"),
  /** Removing a page file. */
  PAGE_DELETE("PageDelete"),
  /** Reading a replica to fill a page. */
  FILL_READ("FillRead"),
  /** Verifying the replica's bytes against the meta file. */
  FILL_VERIFY("FillVerify"),
  /** Restoring pages after a restart of the DataNode. */
  RESTORE("Restore"),
  /** Handling a change of a replica. */
  INVALIDATION("Invalidation");

  private final String metric;

  Operation(String metric) {
    this.metric = metric;
  }

  /** @return whether the operation writes to the SSD. */
  public boolean isWrite() {
    return this == PAGE_WRITE || this == PAGE_DELETE;
  }

  /** @return the operation as a label of the metric of errors. */
  public String metric() {
    return metric;
  }
}
