/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.LineParser.BadLineException;

/**
 * Loads a trace from files: CSV, which the local cache writes, too, or logs of a DataNode, each
 * plain or compressed by gzip, whatever it is called. Damaged lines are counted and left out;
 * damaged files are errors. A compressed file that is cut off is taken up to there: a DataNode that
 * is killed leaves one, and one that still traces has one.
 */
public final class TraceLoader {

  private static final int BUFFER = 1 << 16;
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final int BYTE = 8;
  private static final long MICROS_PER_MILLI = 1000;
  /** Start and duration are cut off to milliseconds, each of them. */
  private static final int TOLERATED_MILLIS = 2;

  private final Options options;
  private final TraceBuilder builder = new TraceBuilder();
  private final LoadReport report = new LoadReport();
  /** What is being read, and how far. */
  private Path file;
  private long line;
  private long lastMillis;

  private TraceLoader(Options options) {
    this.options = options;
  }

  /**
   * What the files do not say.
   *
   * @param zone the time zone of a DataNode's log
   * @param bytesPerChecksum bytes of data for each checksum in such a log; 0 if clients ask for
   *     none
   */
  public record Options(ZoneId zone, int bytesPerChecksum) {
    /** UTC, and {@code dfs.bytes-per-checksum} if it is not configured. */
    public static final Options DEFAULT = new Options(ZoneOffset.UTC, 512);
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
   * @return the trace; not empty
   * @throws TraceException if a file is no trace, is cut off, or there is no access in them
   * @throws IOException if a file cannot be read
   */
  public static Loaded load(List<Path> files, Options options) throws IOException {
    TraceLoader loader = new TraceLoader(options);
    for (Path file : files) {
      loader.load(file);
    }
    if (loader.builder.size() == 0) {
      throw new TraceException("no reads or writes in "
          + (files.size() == 1 ? files.get(0) : files.size() + " files") + loader.whyNot());
    }
    return new Loaded(loader.builder.build(), loader.report);
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
    lastMillis = Long.MIN_VALUE;
    try (InputStream in = decompressed(Files.newInputStream(path))) {
      load(in);
    } catch (ZipException e) {
      throw new TraceException(file + ": damaged or cut off after line " + line + ": "
          + e.getMessage(), e);
    }
  }

  private static InputStream decompressed(InputStream raw) throws IOException {
    BufferedInputStream in = new BufferedInputStream(raw, BUFFER);
    in.mark(2);
    int magic = in.read() << BYTE | in.read();
    in.reset();
    return magic == GZIP_MAGIC ? new UpToTheCut(new GZIPInputStream(in, BUFFER)) : in;
  }

  /** Compressed data that may be cut off: then it ends there. */
  private static final class UpToTheCut extends FilterInputStream {
    private boolean isCut;
    private boolean isWithinLine;

    UpToTheCut(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        int n = super.read(bytes, offset, length);
        isWithinLine = n > 0 ? bytes[offset + n - 1] != '\n' : isWithinLine;
        return n;
      } catch (EOFException e) {
        isCut = true;
        return -1;
      }
    }
  }

  private void countLine() {
    line++;
    report.lines++;
  }

  /** Lines are ordered by the beginnings of the reads, or by their ends. */
  private void add(LineParser.Line parsed) {
    TracedRead read = parsed.read();
    long end = read.startMillis() + Math.max(0, read.durationMicros()) / MICROS_PER_MILLI;
    if (end + TOLERATED_MILLIS < lastMillis) {
      report.outOfOrder++;
    }
    lastMillis = read.startMillis();
    builder.add(parsed.op(), parsed.read());
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
      if (next == null && in instanceof UpToTheCut cut && cut.isCut && cut.isWithinLine) {
        report.addBad(file.toString(), line, "cut off");
      } else {
        parse(parser, text);
      }
      text = next;
    }
    if (in instanceof UpToTheCut cut && cut.isCut) {
      report.cutOff++;
    }
  }

  private void parse(LineParser parser, String text) {
    try {
      LineParser.Line parsed = parser.parse(text, report);
      if (parsed != null) {
        add(parsed);
      }
    } catch (BadLineException e) {
      report.addBad(file.toString(), line, e.getMessage());
    }
  }

  private LineParser parserFor(String first) throws TraceException {
    String header = first.startsWith("\uFEFF") ? first.substring(1) : first;
    if (ClientTraceParser.accepts(header) || !Csv.accepts(header)) {
      return new ClientTraceParser(options.zone(), options.bytesPerChecksum());
    }
    try {
      return new Csv(header);
    } catch (BadLineException e) {
      throw new TraceException(file + ":1: " + e.getMessage(), e);
    }
  }

  /** What was found while a trace was loaded. */
  public static final class LoadReport {

    private static final int MAX_MESSAGES = 10;

    /** File, line number and reason of the first bad lines. */
    final List<String> messages = new ArrayList<>();
    /** Lines read. */
    long lines;
    /** Lines left out because they were damaged. */
    long bad;
    /** Lines that were older than the one before; they are sorted in. */
    long outOfOrder;
    /** Compressed files that were cut off. */
    long cutOff;
    /** Reads by other DataNodes, of which a local cache takes no notice; left out. */
    long notClient;
    /** Lines that say nothing about reads and writes. */
    long other;

    void addBad(String file, long line, String why) {
      bad++;
      if (messages.size() < MAX_MESSAGES) {
        messages.add(file + ":" + line + ": " + why);
      }
    }

    /** Tells the user about lines that were not taken as they are; nothing if there are none. */
    public void print(PrintStream err) {
      print(err, bad, "bad lines left out");
      messages.forEach(message -> err.println("  " + message));
      print(err, cutOff, "files cut off, or still being written; taken up to there");
      print(err, outOfOrder, "lines older than the one before; sorted in");
      print(err, notClient, "reads by other DataNodes left out");
      print(err, other, "other lines left out");
    }

    private static void print(PrintStream err, long n, String what) {
      if (n > 0) {
        err.println("trace-replay: " + Text.count(n) + " " + what);
      }
    }
  }
}
