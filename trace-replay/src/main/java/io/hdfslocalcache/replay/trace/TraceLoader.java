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
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.Trace.Span;
import io.hdfslocalcache.replay.trace.Trace.TraceBuilder;

/**
 * Loads a trace from files: CSV, as written by the local cache, or logs of a DataNode, each plain
 * or gzipped, whatever its name. Damaged lines are counted and left out; damaged files are errors.
 * A truncated compressed file is read up to there: a killed DataNode leaves one, and one that still
 * traces has one.
 */
public final class TraceLoader {

  private static final int BUFFER = 1 << 16;
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final int BYTE = 8;
  private static final long WEEK_MILLIS = 7 * 24 * 3_600_000;

  private final ZoneId zone;
  private final int bytesPerChecksum;
  private final TraceBuilder builder = new TraceBuilder();
  private final LoadReport report = new LoadReport();
  private final List<Span> spans = new ArrayList<>();
  /** The current file, the line, its last span so far or null, and whether it is truncated. */
  private Path file;
  private long line;
  private Span span;
  private boolean isCut;

  private TraceLoader(ZoneId zone, int bytesPerChecksum) {
    this.zone = zone;
    this.bytesPerChecksum = bytesPerChecksum;
  }

  /**
   * A trace and the report of its loading.
   *
   * @param trace the accesses of all files together, ordered by time
   * @param report lines left out and why
   * @param spans for each file the time from its first access to its last; several if there is a
   *     gap of more than a week, because a clock was wrong
   */
  public record Loaded(Trace trace, LoadReport report, List<Span> spans) {
  }

  /**
   * Loads a trace.
   *
   * @param files its files
   * @param zone the time zone of a DataNode's log
   * @param bytesPerChecksum bytes of data for each checksum in such a log; 0 if clients ask for
   *     none
   * @return the trace; not empty
   * @throws TraceException if a file is not a trace, is damaged, or has no accesses
   * @throws IOException if a file cannot be read
   */
  public static Loaded load(List<Path> files, ZoneId zone, int bytesPerChecksum)
      throws IOException {
    TraceLoader loader = new TraceLoader(zone, bytesPerChecksum);
    for (Path file : files) {
      loader.load(file);
    }
    if (loader.builder.size() == 0) {
      throw new TraceException("no reads or writes in "
          + (files.size() == 1 ? files.get(0) : files.size() + " files") + loader.whyNot());
    }
    return new Loaded(loader.builder.build(), loader.report, List.copyOf(loader.spans));
  }

  private String whyNot() {
    if (report.lines == 0) {
      return ": empty";
    }
    if (report.bad > 0) {
      return ": " + report.lines + " lines, of them " + report.bad + " bad, the first: "
          + report.messages.get(0);
    }
    return ": neither CSV with the columns " + Csv.HEADER
        + ", nor a DataNode's log with lines of clienttrace";
  }

  private void load(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new TraceException(path + (Files.exists(path) ? ": not a file" : ": no such file"));
    }
    file = path;
    line = 0;
    span = null;
    isCut = false;
    try (InputStream in = decompressed(Files.newInputStream(path))) {
      load(in);
    } catch (ZipException e) {
      throw new TraceException(file + ": damaged or cut off after line " + line + ": "
          + e.getMessage(), e);
    }
    endSpan();
  }

  private void endSpan() {
    if (span != null) {
      spans.add(span);
    }
  }

  /** Adds an access to the file's span. Lines may be in any order. */
  private void addToSpan(long time) {
    if (span == null || time - span.last() > WEEK_MILLIS || span.first() - time > WEEK_MILLIS) {
      endSpan();
      span = new Span(time, time);
    } else if (time < span.first() || time > span.last()) {
      span = new Span(Math.min(time, span.first()), Math.max(time, span.last()));
    }
  }

  private InputStream decompressed(InputStream raw) throws IOException {
    BufferedInputStream in = new BufferedInputStream(raw, BUFFER);
    in.mark(2);
    int magic = in.read() << BYTE | in.read();
    in.reset();
    return magic != GZIP_MAGIC ? in : new GZIPInputStream(in, BUFFER) {
      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
          return super.read(bytes, offset, length);
        } catch (EOFException e) {
          isCut = true;
          return -1;
        }
      }
    };
  }

  private void load(InputStream in) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), BUFFER);
    String text = reader.readLine();
    LineParser parser = text == null ? null : parserFor(text);
    if (parser instanceof Csv) {
      countLine();
      text = reader.readLine();
    }
    while (text != null) {
      String next = reader.readLine();
      countLine();
      // The last line of a truncated file may be incomplete.
      if (next != null || !isCut) {
        parse(parser, text);
      }
      text = next;
    }
    report.cutOff += isCut ? 1 : 0;
  }

  private void countLine() {
    line++;
    report.lines++;
  }

  private void parse(LineParser parser, String text) {
    try {
      LineParser.Line parsed = parser.parse(text);
      if (parsed == null) {
        report.other++;
      } else {
        builder.add(parsed.op(), parsed.read());
        addToSpan(parsed.read().startMillis());
      }
    } catch (TraceException e) {
      report.addBad(file + ":" + line + ": " + e.getMessage());
    }
  }

  private LineParser parserFor(String first) throws TraceException {
    String header = first.startsWith("\uFEFF") ? first.substring(1) : first;
    if (ClientTraceParser.accepts(header) || !Csv.accepts(header)) {
      return new ClientTraceParser(zone, bytesPerChecksum);
    }
    try {
      return new Csv(header);
    } catch (TraceException e) {
      throw new TraceException(file + ":1: " + e.getMessage(), e);
    }
  }

  /** Counts of lines while loading a trace. */
  public static final class LoadReport {

    private static final int MAX_MESSAGES = 10;

    /** File, line number and reason of the first bad lines. */
    final List<String> messages = new ArrayList<>();
    /** Lines read. */
    long lines;
    /** Lines left out because they were damaged. */
    long bad;
    /** Truncated compressed files. */
    long cutOff;
    /** Lines that are not reads or writes of clients. */
    long other;

    private void addBad(String message) {
      bad++;
      if (messages.size() < MAX_MESSAGES) {
        messages.add(message);
      }
    }

    /** Prints the lines left out and truncated files; nothing if there are none. */
    public void print(PrintStream err) {
      print(err, bad, "bad lines left out");
      messages.forEach(message -> err.println("  " + message));
      print(err, cutOff, "files truncated or still being written; read up to their end");
      print(err, other, "other lines left out, such as reads by other DataNodes");
    }

    private static void print(PrintStream err, long n, String what) {
      if (n > 0) {
        err.println("trace-replay: " + Text.count(n) + " " + what);
      }
    }
  }

  /** Parses the lines of one file. */
  interface LineParser {

    /**
     * A parsed line.
     *
     * @param op kind of access
     * @param read its details, for reads and other accesses; its reader is null if the file has no
     *     readers
     */
    record Line(Op op, TracedRead read) {
    }

    /**
     * Parses a line.
     *
     * @return the access, or null if it is none
     * @throws TraceException if it is damaged: it is counted and left out
     */
    Line parse(String line) throws TraceException;
  }
}
