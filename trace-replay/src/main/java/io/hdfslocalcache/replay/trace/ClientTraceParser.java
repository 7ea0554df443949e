/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.time.ZoneId;

/**
 * Reads what a DataNode logs as {@code DataNode.clienttrace}, at level DEBUG for reads: Hadoop 3.3
 * (class {@code DataNode}, {@code DN_CLIENTTRACE_FORMAT}), and 3.4 and 3.5 with their field {@code
 * volume}. Fields are found by their names. Lines of other loggers may stand between.
 *
 * <p>A DataNode logs when a read is over, and what it sent: checksums included, beginning at a
 * whole chunk. Here is when the read began and how much block data it got.
 */
final class ClientTraceParser implements LineParser {

  private static final String LOGGER = "clienttrace";
  private static final String SERVED_DATANODE = " Served block ";
  private static final int NANOS_PER_MICRO = 1000;
  private static final long MICROS_PER_MILLI = 1000;

  private final LogTime time;
  private final WireBytes wireBytes;
  private final Interner strings = new Interner();
  private long orderMillis;

  /**
   * Makes a parser.
   *
   * @param zone the time zone of the log
   * @param bytesPerChecksum bytes of data for each checksum
   */
  ClientTraceParser(ZoneId zone, int bytesPerChecksum) {
    this.time = new LogTime(zone);
    this.wireBytes = new WireBytes(bytesPerChecksum);
  }

  /** @return whether a line can be one of these. */
  static boolean accepts(String line) {
    return line.contains(LOGGER) || line.contains(", op: HDFS_");
  }

  @Override
  public Kind parse(String line, Access access) throws BadLineException {
    if (!accepts(line)) {
      return Kind.OTHER;
    }
    if (line.contains(SERVED_DATANODE)) {
      return Kind.NOT_CLIENT;
    }
    access.clear();
    String op = field(line, "op");
    switch (op) {
      case "HDFS_READ":
        read(line, access);
        return Kind.ACCESS;
      case "HDFS_WRITE":
        write(line, access);
        return Kind.ACCESS;
      case "REQUEST_SHORT_CIRCUIT_FDS":
        shortCircuit(line, access);
        return Kind.ACCESS;
      default:
        return Kind.OTHER;
    }
  }

  private void read(String line, Access access) throws BadLineException {
    access.op = Op.READ;
    access.reader = host(field(line, "dest"));
    access.offset = notNegative("offset", number(line, "offset"));
    access.length = wireBytes.toData(number(line, "bytes"));
    block(field(line, "blockid"), access);
    beginning(line, access);
  }

  private void write(String line, Access access) throws BadLineException {
    access.op = Op.WRITE;
    access.reader = host(field(line, "src"));
    access.length = notNegative("length", number(line, "bytes"));
    access.blockBytes = access.length;
    block(field(line, "blockid"), access);
    beginning(line, access);
  }

  private void shortCircuit(String line, Access access) throws BadLineException {
    access.op = Op.SHORT_CIRCUIT;
    access.blockId = number(line, "blockid");
    access.timeMillis = time.parse(line);
    orderMillis = access.timeMillis;
  }

  private void beginning(String line, Access access) throws BadLineException {
    long end = time.parse(line);
    access.durationMicros = notNegative("duration", duration(line)) / NANOS_PER_MICRO;
    access.timeMillis = end - access.durationMicros / MICROS_PER_MILLI;
    orderMillis = end;
  }

  private static long duration(String line) throws BadLineException {
    return number(line, line.contains(", duration(ns): ") ? "duration(ns)" : "duration");
  }

  /** Reads a block such as {@code BP-1-10.0.0.1-2:blk_1073741825_1001}. */
  private void block(String text, Access access) throws BadLineException {
    int colon = text.lastIndexOf(':');
    int generation = text.lastIndexOf('_');
    int id = text.indexOf("blk_", colon + 1) + "blk_".length();
    try {
      access.blockPool = strings.intern(text.substring(0, Math.max(0, colon)));
      access.blockId = Long.parseLong(text, id, generation, 10);
      access.generationStamp = Long.parseLong(text, generation + 1, text.length(), 10);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new BadLineException("no block: " + text);
    }
  }

  /** @return the host of an address such as {@code /10.0.0.1:50010}. */
  private String host(String address) {
    int from = address.lastIndexOf('/') + 1;
    int colon = address.lastIndexOf(':');
    return strings.intern(address.substring(from, colon > from ? colon : address.length()));
  }

  private static long number(String line, String name) throws BadLineException {
    String value = field(line, name);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new BadLineException(name + " is no number: " + value);
    }
  }

  private static long notNegative(String name, long number) throws BadLineException {
    if (number < 0) {
      throw new BadLineException("negative " + name + " " + number);
    }
    return number;
  }

  private static String field(String line, String name) throws BadLineException {
    int at = -1;
    do {
      at = line.indexOf(name, at + 1);
      if (at < 0) {
        throw new BadLineException("no " + name);
      }
    } while (!isField(line, at, name.length()));
    int from = at + name.length() + 2;
    int to = line.indexOf(", ", from);
    return line.substring(from, to < 0 ? line.length() : to);
  }

  private static boolean isField(String line, int at, int length) {
    return (at == 0 || line.charAt(at - 1) == ' ') && line.startsWith(": ", at + length);
  }

  @Override
  public long orderMillis() {
    return orderMillis;
  }

  @Override
  public boolean hasReader() {
    return true;
  }
}
