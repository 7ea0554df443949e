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
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

import io.hdfslocalcache.plugin.trace.TraceFileReader;
import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Access.Op;
import io.hdfslocalcache.replay.trace.LineParser.BadLineException;

/**
 * Loads a trace from files: traces of the local cache, logs of a DataNode or CSV, each plain or
 * compressed by gzip, whatever it is called. Damaged lines are counted and left out; damaged files
 * are errors.
 */
public final class TraceLoader {

  private static final int BUFFER = 1 << 16;
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final int BYTE = 8;
  private static final int BEGINNING = 64;
  /** How often progress is told. */
  private static final int LINES = 1 << 14;
  private static final long MICROS_PER_MILLI = 1000;

  private final Options options;
  private final LongConsumer progress;
  private final TraceBuilder builder = new TraceBuilder();
  private final LoadReport report = new LoadReport();
  /** What is being read, how far, and how much of that was told. */
  private Path file;
  private SeekableByteChannel channel;
  private long line;
  private long told;
  private long lastMillis;

  private TraceLoader(Options options, LongConsumer progress) {
    this.options = options;
    this.progress = progress;
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
   * @param progress is told now and then how many bytes of the files have been read
   * @return the trace; not empty
   * @throws TraceException if a file is no trace, is cut off, or there is no access in them
   * @throws IOException if a file cannot be read
   */
  public static Loaded load(List<Path> files, Options options, LongConsumer progress)
      throws IOException {
    TraceLoader loader = new TraceLoader(options, progress);
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
    return ": neither a trace of the local cache, nor a DataNode's log with lines of clienttrace, "
        + "nor CSV with the columns " + Csv.HEADER;
  }

  private void load(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new TraceException(path + (Files.exists(path) ? ": not a file" : ": no such file"));
    }
    file = path;
    line = 0;
    told = 0;
    lastMillis = Long.MIN_VALUE;
    try (SeekableByteChannel opened = Files.newByteChannel(path);
         InputStream in = decompressed(Channels.newInputStream(opened))) {
      channel = opened;
      if (TraceFileReader.accepts(beginning(in))) {
        load(new TraceFileReader(in));
      } else {
        load(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), BUFFER));
      }
      tell();
    } catch (EOFException | ZipException e) {
      throw new TraceException(file + ": damaged or cut off after line " + line + ": "
          + e.getMessage(), e);
    }
  }

  private static InputStream decompressed(InputStream raw) throws IOException {
    BufferedInputStream in = new BufferedInputStream(raw, BUFFER);
    in.mark(2);
    int magic = in.read() << BYTE | in.read();
    in.reset();
    return magic == GZIP_MAGIC
        ? new BufferedInputStream(new GZIPInputStream(in, BUFFER), BUFFER) : in;
  }

  private static String beginning(InputStream in) throws IOException {
    in.mark(BEGINNING);
    String text = new String(in.readNBytes(BEGINNING), StandardCharsets.ISO_8859_1);
    in.reset();
    return text;
  }

  private void tell() throws IOException {
    progress.accept(channel.position() - told);
    told = channel.position();
  }

  private void countLine() throws IOException {
    line++;
    report.lines++;
    if (line % LINES == 0) {
      tell();
    }
  }

  private void add(LineParser.Line parsed, long toleratedMillis) {
    if (parsed.orderMillis() + toleratedMillis < lastMillis) {
      report.outOfOrder++;
    }
    lastMillis = parsed.orderMillis();
    builder.add(parsed.op(), parsed.read());
  }

  /**
   * Reads what the local cache itself has traced. A DataNode that is killed leaves a file without
   * an end, and one that still traces has one: what is missing is counted as a bad line, and what
   * is there is taken.
   */
  private void load(TraceFileReader reader) throws IOException {
    line = 1;
    try {
      for (TracedRead read = reader.next(); read != null; read = reader.next()) {
        countLine();
        // Start and duration are cut off to their units, each of them.
        long end = read.startMillis() + read.durationMicros() / MICROS_PER_MILLI;
        add(new LineParser.Line(Op.READ, read, end), 1);
      }
    } catch (IOException e) {
      report.lines++;
      report.addBad(file.toString(), line, e.getMessage());
    }
  }

  private void load(BufferedReader reader) throws IOException {
    String text = reader.readLine();
    LineParser parser = text == null ? null : parserFor(text);
    if (parser instanceof Csv) {
      countLine();
      text = reader.readLine();
    }
    for (; text != null; text = reader.readLine()) {
      countLine();
      try {
        LineParser.Line parsed = parser.parse(text, report);
        if (parsed != null) {
          add(parsed, 0);
        }
      } catch (BadLineException e) {
        report.addBad(file.toString(), line, e.getMessage());
      }
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
