/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

/** Sums up what the DataNode wants to know of a packet's way: nanoseconds waited, and sending. */
final class TransferTimes {

  private long waited;
  private long sending;

  void add(long waitedNanos, long sendingNanos) {
    waited += waitedNanos;
    sending += sendingNanos;
  }

  long waited() {
    return waited;
  }

  long sending() {
    return sending;
  }
}
