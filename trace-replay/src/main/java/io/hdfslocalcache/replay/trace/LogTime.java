/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * The time at the beginning of a log line: {@code 2026-01-31 23:59:59,999} (log4j's ISO8601; also
 * with T, with a dot, or without milliseconds) or {@code 26/01/31 23:59:59}.
 */
final class LogTime {

  private static final int HOUR = "yyyy-MM-dd HH".length();
  private static final int SHORT_HOUR = "yy/MM/dd HH".length();
  private static final int CENTURY = 2000;

  private final ZoneId zone;
  /** The last hour seen and when it began: lines come close together. */
  private String lastHour = "";
  private long lastHourMillis;

  LogTime(ZoneId zone) {
    this.zone = zone;
  }

  /** @return milliseconds since 1970. */
  long parse(String line) throws BadLineException {
    try {
      return isShort(line) ? at(line, SHORT_HOUR) : at(line, HOUR);
    } catch (NumberFormatException | IndexOutOfBoundsException | DateTimeException e) {
      throw new BadLineException("does not begin with a time such as 2026-01-31 23:59:59,999");
    }
  }

  private static boolean isShort(String line) {
    return line.length() > 2 && line.charAt(2) == '/';
  }

  private long at(String line, int hourEnd) {
    if (!line.startsWith(lastHour) || lastHour.length() != hourEnd) {
      lastHourMillis = hour(line, hourEnd);
      lastHour = line.substring(0, hourEnd);
    }
    int minute = number(line, hourEnd + 1, 2);
    int second = number(line, hourEnd + 4, 2);
    int point = hourEnd + 6;
    boolean hasMillis = line.length() > point + 3
        && (line.charAt(point) == ',' || line.charAt(point) == '.');
    int millis = hasMillis ? number(line, point + 1, 3) : 0;
    if (minute > 59 || second > 60) {
      throw new DateTimeException("no such time");
    }
    return lastHourMillis + ((minute * 60L) + second) * 1000 + millis;
  }

  private long hour(String line, int hourEnd) {
    int yearEnd = hourEnd - 9;
    int year = number(line, 0, yearEnd) + (yearEnd == 2 ? CENTURY : 0);
    return LocalDateTime.of(year, number(line, yearEnd + 1, 2), number(line, yearEnd + 4, 2),
        number(line, yearEnd + 7, 2), 0).atZone(zone).toInstant().toEpochMilli();
  }

  private static int number(String line, int from, int digits) {
    return Integer.parseUnsignedInt(line, from, from + digits, 10);
  }
}
