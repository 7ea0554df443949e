/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

import io.hdfslocalcache.plugin.trace.TraceFileReader;

/**
 * Loads a trace from files: traces of the local cache, logs of a DataNode or CSV, each plain or compressed by gzip, whatever
 * it is called. Damaged lines are counted and left out; damaged files are errors.
 */
public final class TraceLoader {

  private static final int BUFFER = 1 << 16;
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final int BYTE = 8;
  /** How often progress is told. */
  static final int LINES = 1 << 14;
  private static final int BEGINNING = 64;

  private final TraceOptions options;
  private final LongConsumer progress;
  private final TraceBuilder builder = new TraceBuilder();
  private final LoadReport report = new LoadReport();
  private final Access access = new Access();

  private TraceLoader(TraceOptions options, LongConsumer progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * A trace and what was found on the way.
   *
   * @param trace the accesses of all files together, ordered by time
   * @param report what was left out and why
   */
  public record Loaded(Trace trace, LoadReport report) {
  }

  /**
   * Loads a trace.
   *
   * @param files where it is
   * @param options what the files do not say
   * @param progress is told now and then how many bytes of the files have been read
   * @return the trace; not empty
   * @throws TraceException if a file is no trace, is cut off, or there is no access in them
   * @throws IOException if a file cannot be read
   */
  public static Loaded load(List<Path> files, TraceOptions options, LongConsumer progress)
      throws IOException {
    TraceLoader loader = new TraceLoader(options, progress);
    for (Path file : files) {
      loader.load(file);
    }
    if (loader.builder.size() == 0) {
      throw new TraceException("no reads or writes in " + names(files) + loader.whyNot());
    }
    return new Loaded(loader.builder.build(), loader.report);
  }

  private static String names(List<Path> files) {
    return files.size() == 1 ? files.get(0).toString() : files.size() + " files";
  }

  private String whyNot() {
    if (report.lines() == 0) {
      return ": empty";
    }
    if (report.bad() > 0) {
      return ": " + report.lines() + " lines, of them " + report.bad() + " bad, the first: "
          + report.messages().get(0);
    }
    return ": neither a trace of the local cache, nor a DataNode's log with lines of clienttrace, nor CSV "
        + "with the columns "
        + Column.header();
  }

  private void load(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new TraceException(file + (Files.exists(file) ? ": not a file" : ": no such file"));
    }
    long[] lines = new long[1];
    try (CountingStream counter = new CountingStream(Files.newInputStream(file), progress);
         BufferedInputStream in = new BufferedInputStream(decompress(counter), BUFFER)) {
      if (TraceFileReader.accepts(beginning(in))) {
        new NativeTrace(builder, report).load(file.toString(), in, counter);
      } else {
        load(file, new BufferedReader(
            new InputStreamReader(in, StandardCharsets.UTF_8), BUFFER), counter, lines);
      }
    } catch (EOFException | ZipException e) {
      throw new TraceException(file + ": damaged or cut off after line " + lines[0] + ": "
          + e.getMessage(), e);
    }
  }

  private static InputStream decompress(InputStream raw) throws IOException {
    BufferedInputStream in = new BufferedInputStream(raw, BUFFER);
    in.mark(2);
    int magic = in.read() << BYTE | in.read();
    in.reset();
    return magic == GZIP_MAGIC ? new GZIPInputStream(in, BUFFER) : in;
  }

  private static String beginning(InputStream in) throws IOException {
    in.mark(BEGINNING);
    String text = new String(in.readNBytes(BEGINNING), StandardCharsets.ISO_8859_1);
    in.reset();
    return text;
  }

  private void load(Path file, BufferedReader reader, CountingStream counter, long[] lines)
      throws IOException {
    String line = reader.readLine();
    LineParser parser = line == null ? null : parserFor(file, line);
    if (parser instanceof CsvParser) {
      lines[0]++;
      report.addLine();
      line = reader.readLine();
    }
    if (parser != null && !parser.hasReader()) {
      builder.withoutReaders();
    }
    long last = Long.MIN_VALUE;
    while (line != null) {
      lines[0]++;
      report.addLine();
      if (add(file, lines[0], line, parser)) {
        if (parser.orderMillis() < last) {
          report.addOutOfOrder();
        }
        last = parser.orderMillis();
      }
      if (lines[0] % LINES == 0) {
        counter.tell();
      }
      line = reader.readLine();
    }
    counter.tell();
  }

  private LineParser parserFor(Path file, String first) throws TraceException {
    String line = first.startsWith("\uFEFF") ? first.substring(1) : first;
    if (ClientTraceParser.accepts(line) || !CsvParser.accepts(line)) {
      return new ClientTraceParser(options.zone(), options.bytesPerChecksum());
    }
    try {
      return new CsvParser(line);
    } catch (BadLineException e) {
      throw new TraceException(file + ":1: " + e.getMessage(), e);
    }
  }

  private boolean add(Path file, long number, String line, LineParser parser) {
    try {
      switch (parser.parse(line, access)) {
        case ACCESS:
          builder.add(access);
          return true;
        case NOT_CLIENT:
          report.addNotClient();
          return false;
        default:
          report.addOther();
          return false;
      }
    } catch (BadLineException e) {
      report.addBad(file.toString(), number, e.getMessage());
      return false;
    }
  }
}
