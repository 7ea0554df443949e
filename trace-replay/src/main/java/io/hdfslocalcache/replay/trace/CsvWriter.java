/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Locale;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/** Writes traces as CSV with all columns; see {@link CsvParser.Column}. */
public final class CsvWriter {

  private static final int TELL = 1 << 14;

  private CsvWriter() {
  }

  /**
   * Writes accesses.
   *
   * @param trace what they are of
   * @param accesses those to be written
   * @param out where to; not closed
   * @param progress is told now and then how many have been written since it was told last
   * @return how many were written
   */
  public static long write(Trace trace, Stream<Access> accesses, OutputStream out,
      IntConsumer progress) throws IOException {
    Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    text.append(CsvParser.HEADER).append('\n');
    long written = 0;
    for (Iterator<Access> each = accesses.iterator(); each.hasNext();) {
      text.append(line(trace, each.next()));
      written++;
      if (written % TELL == 0) {
        progress.accept(TELL);
      }
    }
    text.flush();
    progress.accept((int) (written % TELL));
    return written;
  }

  private static StringBuilder line(Trace trace, Access access) {
    Replica replica = trace.replica(access);
    String duration = access.durationMicros() < 0 ? "" : "" + access.durationMicros();
    String outcome = access.outcome() == null ? ""
        : access.outcome().name().toLowerCase(Locale.ROOT);
    return new StringBuilder().append(access.timeMillis()).append(',')
        .append(access.op().text()).append(',')
        .append(replica.blockPool()).append(',')
        .append(replica.blockId()).append(',')
        .append(replica.generationStamp()).append(',')
        .append(access.offset()).append(',')
        .append(access.length()).append(',')
        .append(duration).append(',')
        .append(trace.readers().get(access.reader())).append(',')
        .append(trace.replicaBytes()[access.replica()]).append(',')
        .append(outcome).append('\n');
  }
}
