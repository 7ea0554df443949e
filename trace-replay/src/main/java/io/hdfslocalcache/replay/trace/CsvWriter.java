/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/** Writes a trace as CSV with all columns; see {@link Column}. */
public final class CsvWriter {

  private static final int FLUSH = 1 << 15;

  private final Trace trace;
  private final StringBuilder text = new StringBuilder(2 * FLUSH);

  /** Makes a writer for a trace. */
  public CsvWriter(Trace trace) {
    this.trace = trace;
  }

  /**
   * Writes accesses.
   *
   * @param out where to; not closed
   * @param which numbers of those to write
   * @param progress is told now and then how many accesses have been passed since it was told last
   * @return how many were written
   */
  public long write(OutputStream out, IntPredicate which, IntConsumer progress)
      throws IOException {
    long written = 0;
    int told = 0;
    text.append(Column.header()).append('\n');
    for (int i = 0; i < trace.size(); i++) {
      if (which.test(i)) {
        append(i);
        written++;
      }
      if (text.length() >= FLUSH) {
        flush(out);
        progress.accept(i - told);
        told = i;
      }
    }
    flush(out);
    progress.accept(trace.size() - told);
    return written;
  }

  private void append(int i) {
    Replica replica = trace.replicaAt(trace.replica(i));
    text.append(trace.timeMillis(i)).append(',').append(trace.op(i).text()).append(',')
        .append(replica.blockPool()).append(',').append(replica.blockId()).append(',')
        .append(replica.generationStamp()).append(',').append(trace.offset(i)).append(',')
        .append(trace.length(i)).append(',');
    if (trace.durationMicros(i) >= 0) {
      text.append(trace.durationMicros(i));
    }
    text.append(',').append(trace.readerAt(trace.reader(i))).append(',')
        .append(trace.replicaBytes(trace.replica(i))).append(',').append(outcome(i))
        .append('\n');
  }

  private String outcome(int i) {
    ReadOutcome outcome = trace.outcome(i);
    return outcome == null ? "" : outcome.name().toLowerCase(Locale.ROOT);
  }

  private void flush(OutputStream out) throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    text.setLength(0);
  }
}
