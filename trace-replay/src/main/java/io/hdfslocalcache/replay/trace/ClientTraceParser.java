/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.replay.trace.Trace.Access;
import io.hdfslocalcache.replay.trace.Trace.Access.Op;
import io.hdfslocalcache.replay.trace.TraceLoader.LineParser;

/**
 * Parses a DataNode's log of {@code DataNode.clienttrace}, at level DEBUG for reads: Hadoop 3.3
 * (class {@code DataNode}, {@code DN_CLIENTTRACE_FORMAT}), and 3.4 and 3.5 with their field {@code
 * volume}. Fields are found by their names. Lines of other loggers are ignored.
 *
 * <p>A DataNode logs the end of a read and the bytes sent, including checksums and starting at a
 * whole chunk. The parser computes the start of the read and its block data.
 */
final class ClientTraceParser implements LineParser {

  private static final String LOGGER = "clienttrace";
  private static final String SERVED_DATANODE = " Served block ";
  /** log4j's ISO8601, with a blank or a T, and formats of some distributions. */
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
      "[uuuu-MM-dd[ ]['T']HH:mm:ss][uu/MM/dd HH:mm:ss][,SSS][.SSS]", Locale.ROOT);
  private static final int NANOS_PER_MICRO = 1000;
  private static final long MICROS_PER_MILLI = 1000;
  private static final int CHECKSUM = 4;

  private final ZoneId zone;
  private final int bytesPerChecksum;

  /**
   * Creates a parser.
   *
   * @param zone the time zone of the log
   * @param bytesPerChecksum bytes of data for each checksum, {@code dfs.bytes-per-checksum}; 0: no
   *     checksums
   */
  ClientTraceParser(ZoneId zone, int bytesPerChecksum) {
    this.zone = zone;
    this.bytesPerChecksum = bytesPerChecksum;
  }

  /** @return whether a line has this format. */
  static boolean accepts(String line) {
    return line.contains(LOGGER) || line.contains(", op: HDFS_");
  }

  @Override
  public Line parse(String line) throws TraceException {
    if (!accepts(line) || line.contains(SERVED_DATANODE)) {
      return null;
    }
    Map<String, String> fields = new HashMap<>();
    for (String field : line.split(", ")) {
      // The first is behind the name of the logger.
      int colon = field.lastIndexOf(": ");
      if (colon > 0) {
        fields.putIfAbsent(field.substring(field.lastIndexOf(' ', colon) + 1, colon),
            field.substring(colon + 2));
      }
    }
    return switch (field(fields, "op")) {
      case "HDFS_READ" -> access(Op.READ, line, fields, host(field(fields, "dest")),
          notNegative("offset", number(fields, "offset")),
          dataBytes(number(fields, "bytes"), bytesPerChecksum), 0);
      case "HDFS_WRITE" -> {
        long bytes = notNegative("length", number(fields, "bytes"));
        yield access(Op.WRITE, line, fields, host(field(fields, "src")), 0, bytes, bytes);
      }
      case "REQUEST_SHORT_CIRCUIT_FDS" -> new Line(Op.SHORT_CIRCUIT, new TracedRead(
          millis(line), Access.UNKNOWN, "", number(fields, "blockid"), 0, 0, 0, 0, "", null));
      default -> null;
    };
  }

  /** Reads the block, such as {@code BP-1-10.0.0.1-2:blk_1073741825_1001}, and the times. */
  private Line access(Op op, String line, Map<String, String> fields, String reader, long offset,
      long length, long blockBytes) throws TraceException {
    String block = field(fields, "blockid");
    int colon = block.lastIndexOf(':');
    int generation = block.lastIndexOf('_');
    int id = block.indexOf("blk_", colon + 1) + "blk_".length();
    long end = millis(line);
    long micros = notNegative("duration",
        number(fields, fields.containsKey("duration(ns)") ? "duration(ns)" : "duration")) / NANOS_PER_MICRO;
    try {
      return new Line(op, new TracedRead(end - micros / MICROS_PER_MILLI, micros,
          block.substring(0, Math.max(0, colon)), Long.parseLong(block, id, generation, 10),
          Long.parseLong(block, generation + 1, block.length(), 10), blockBytes, offset, length,
          reader, null));
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new TraceException("no block: " + block);
    }
  }

  /** @return the time at the beginning of a line, in milliseconds since 1970. */
  private long millis(String line) throws TraceException {
    try {
      return LocalDateTime.from(TIME.parse(line, new ParsePosition(0))).atZone(zone).toInstant()
          .toEpochMilli();
    } catch (DateTimeException e) {
      throw new TraceException("does not begin with a time such as 2026-01-31 23:59:59,999");
    }
  }

  /**
   * Subtracts the checksums that a DataNode includes ({@code BlockSender.doSendBlock}): 4 bytes for
   * each chunk, also for a last chunk that is not full.
   *
   * @param sent bytes sent according to the DataNode
   * @param chunk bytes of data for each checksum; 0: no checksums
   * @throws TraceException if no data has that many bytes with its checksums
   */
  static long dataBytes(long sent, int chunk) throws TraceException {
    notNegative("length", sent);
    if (chunk == 0) {
      return sent;
    }
    long full = sent / (chunk + CHECKSUM);
    long rest = sent % (chunk + CHECKSUM);
    if (rest > 0 && rest <= CHECKSUM) {
      throw new TraceException(sent + " bytes are not chunks of " + chunk
          + " with checksums of " + CHECKSUM + "; see --bytes-per-checksum");
    }
    return full * chunk + (rest == 0 ? 0 : rest - CHECKSUM);
  }

  /** @return the host of an address such as {@code /10.0.0.1:50010}. */
  private static String host(String address) {
    int from = address.lastIndexOf('/') + 1;
    int colon = address.lastIndexOf(':');
    return address.substring(from, colon > from ? colon : address.length());
  }

  private static long number(Map<String, String> fields, String name) throws TraceException {
    String value = field(fields, name);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new TraceException(name + " is no number: " + value);
    }
  }

  private static long notNegative(String name, long number) throws TraceException {
    if (number < 0) {
      throw new TraceException("negative " + name + " " + number);
    }
    return number;
  }

  private static String field(Map<String, String> fields, String name) throws TraceException {
    String value = fields.get(name);
    if (value == null) {
      throw new TraceException("no " + name);
    }
    return value;
  }
}
