/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.IOException;
import java.io.InputStream;

import io.hdfslocalcache.plugin.trace.TraceFileReader;
import io.hdfslocalcache.plugin.trace.TracedRead;

/** Reads what the local cache itself has traced. */
final class NativeTrace {

  private static final long MICROS_PER_MILLI = 1000;

  private final TraceBuilder builder;
  private final LoadReport report;
  private final Access access = new Access();

  NativeTrace(TraceBuilder builder, LoadReport report) {
    this.builder = builder;
    this.report = report;
  }

  /**
   * Reads a file. A DataNode that is killed leaves a file without an end, and one that still traces
   * has one: what is missing is counted as a bad line, and what is there is taken.
   *
   * @param name of the file, for messages
   * @throws IOException if there is nothing to be read in it
   */
  void load(String name, InputStream in, CountingStream counter) throws IOException {
    TraceFileReader reader = new TraceFileReader(in);
    long number = 1;
    long last = Long.MIN_VALUE;
    try {
      for (TracedRead read = reader.next(); read != null; read = reader.next()) {
        number++;
        report.addLine();
        long end = read.startMillis() + read.durationMicros() / MICROS_PER_MILLI;
        // Start and duration are cut off to their units, each of them.
        if (end + 1 < last) {
          report.addOutOfOrder();
        }
        last = end;
        builder.add(access(read));
        if (number % TraceLoader.LINES == 0) {
          counter.tell();
        }
      }
    } catch (IOException e) {
      report.addLine();
      report.addBad(name, number, e.getMessage());
    }
    counter.tell();
  }

  private Access access(TracedRead read) {
    access.clear();
    access.timeMillis = read.startMillis();
    access.durationMicros = read.durationMicros();
    access.blockPool = read.blockPoolId();
    access.blockId = read.blockId();
    access.generationStamp = read.generationStamp();
    access.blockBytes = read.replicaBytes();
    access.offset = read.offset();
    access.length = read.length();
    access.reader = read.reader();
    access.outcome = read.outcome();
    return access;
  }
}
