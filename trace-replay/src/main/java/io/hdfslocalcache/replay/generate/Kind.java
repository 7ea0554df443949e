/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.generate;

import java.util.Locale;

/** How a block's popularity goes. */
public enum Kind {
  /**
   * Independent reads: every read chooses its block anew, by a Zipf distribution that never
   * changes.
   */
  IRM,
  /**
   * Churn: readers read the same block some times within a minute or so, and the hot set drifts, so
   * that most blocks are read in a part of the time only.
   */
  CHURN;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
