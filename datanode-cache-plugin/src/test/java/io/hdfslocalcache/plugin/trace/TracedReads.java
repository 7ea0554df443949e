/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import io.hdfslocalcache.plugin.metrics.ReadOutcome;

/** Parses traces as their first line describes. */
public final class TracedReads {

  private TracedReads() {
  }

  /** @return the reads in all files of a directory, by their names. */
  public static List<TracedRead> in(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return in(files.sorted().toList());
    }
  }

  static List<TracedRead> in(List<Path> files) throws IOException {
    List<TracedRead> reads = new ArrayList<>();
    for (Path file : files) {
      reads.addAll(in(Files.readAllBytes(file)));
    }
    return reads;
  }

  /** @return the reads of a file that may be cut off. @throws IOException if it is damaged */
  static List<TracedRead> in(byte[] file) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(file))) {
      for (int next = in.read(); next >= 0; next = in.read()) {
        text.write(next);
      }
    } catch (EOFException e) {
      // The reads before it are good.
    }
    String whole = text.toString(StandardCharsets.UTF_8);
    String lines = whole.substring(0, whole.lastIndexOf('\n') + 1);
    if (!lines.isEmpty() && !lines.startsWith(TracedRead.HEADER)) {
      throw new IOException("another first line: " + lines);
    }
    return lines.lines().skip(1).map(TracedReads::read).toList();
  }

  private static TracedRead read(String line) {
    String[] values = line.split(",", -1);
    return new TracedRead(Long.parseLong(values[0]), Long.parseLong(values[7]), values[2],
        Long.parseLong(values[3]), Long.parseLong(values[4]), Long.parseLong(values[9]),
        Long.parseLong(values[5]), Long.parseLong(values[6]), values[8],
        ReadOutcome.valueOf(values[10].toUpperCase(Locale.ROOT)));
  }
}
