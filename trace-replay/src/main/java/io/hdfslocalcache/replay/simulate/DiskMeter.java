/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The queues of some HDDs, with meters. A visit begins when all that came to its HDD before are
 * over. Times are milliseconds since the trace began.
 */
final class DiskMeter {

  private static final double MINUTE = 60_000;
  private static final double HOUR = 60 * MINUTE;
  private static final double MILLIS = 1000;

  private final PageTrace trace;
  private final Disk disk;
  private final Waits waits;
  /** By HDD: since when it works without a pause, and until when. */
  private final double[] busySince;
  private final double[] busyUntil;
  private final double[] hourSeconds;
  /** By minute: whether an HDD works that has done so for a minute or more, or will. */
  private final BitSet backlog = new BitSet();
  private long visits;

  /** Makes HDDs that are idle. */
  DiskMeter(PageTrace trace, Disk disk) {
    this.trace = trace;
    this.disk = disk;
    this.waits = new Waits(trace.spanMillis());
    this.busySince = new double[disk.count()];
    this.busyUntil = new double[disk.count()];
    this.hourSeconds = new double[(int) Math.max(1, Math.round(trace.spanMillis() / HOUR))];
  }

  /** A read visits its block's HDD now. @return when its bytes are there */
  double visit(int read, long bytes) {
    double now = trace.millis(read);
    double seconds = disk.seconds(bytes);
    int number = trace.replicaNumber(read) % disk.count();
    if (busyUntil[number] <= now) {
      pause(number);
      busySince[number] = now;
      busyUntil[number] = now;
    }
    busyUntil[number] += seconds * MILLIS;
    hourSeconds[Math.min(hourSeconds.length - 1, (int) (now / HOUR))] += seconds;
    visits++;
    return busyUntil[number];
  }

  /** A read has all its bytes. */
  void served(int read, double at) {
    double began = trace.millis(read);
    waits.add(began, Math.max(0, at - began));
  }

  private void pause(int number) {
    if (busyUntil[number] - busySince[number] >= MINUTE) {
      backlog.set((int) (busySince[number] / MINUTE), (int) (busyUntil[number] / MINUTE) + 1);
    }
  }

  private long reliefMinutes(int last) {
    int longest = 0;
    int until = 0;
    for (int from = backlog.nextSetBit(0); from >= 0; from = backlog.nextSetBit(until)) {
      until = backlog.nextClearBit(from);
      if (until - from >= longest) {
        longest = until > last ? Integer.MAX_VALUE : until - from;
      }
    }
    return longest == Integer.MAX_VALUE ? DiskLoad.NEVER : longest;
  }

  /** @return what the meters say at the end of the trace. */
  DiskLoad load() {
    for (int number = 0; number < disk.count(); number++) {
      pause(number);
    }
    waits.end();
    int last = (int) (trace.spanMillis() / MINUTE);
    return new DiskLoad(visits, Arrays.stream(hourSeconds).sum(), hourSeconds, waits.mean(),
        waits.p99(), waits.slotMinutes(), waits.slotMeans(), waits.slotP99s(),
        backlog.get(0, last + 1).cardinality(), reliefMinutes(last));
  }
}
