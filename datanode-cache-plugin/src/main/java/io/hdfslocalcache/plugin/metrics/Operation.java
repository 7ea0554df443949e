/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.metrics;

/** What the local cache was doing when an error struck it. */
public enum Operation {
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
  /** Reading a replica in order to fill a page. */
  FILL_READ("FillRead"),
  /** Verifying what was read against the meta file. */
  FILL_VERIFY("FillVerify"),
  /** Restoring the pages of before the DataNode's restart. */
  RESTORE("Restore"),
  /** Handling a change of a replica. */
  INVALIDATION("Invalidation");

  private final String metric;

  Operation(String metric) {
    this.metric = metric;
  }

  /** @return whether the SSD is changed. */
  public boolean isWrite() {
    return this == PAGE_WRITE || this == PAGE_DELETE;
  }

  /** @return the operation as a label of the metric of errors. */
  public String metric() {
    return metric;
  }
}
