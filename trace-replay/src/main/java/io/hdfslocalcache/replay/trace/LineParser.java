/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import io.hdfslocalcache.plugin.trace.TracedRead;
import io.hdfslocalcache.replay.trace.Access.Op;
import io.hdfslocalcache.replay.trace.TraceLoader.LoadReport;

/** Understands the lines of one file. */
interface LineParser {

  /**
   * What a line says.
   *
   * @param op what was done
   * @param read what else is known of it, be it a read or not; its reader is null if no line tells
   *     who reads
   * @param orderMillis the time by which the lines of the file are ordered, in ms since 1970
   */
  record Line(Op op, TracedRead read, long orderMillis) {
  }

  /** A line that is not what it should be. It is counted and left out. */
  final class BadLineException extends Exception {
    private static final long serialVersionUID = 1L;

    BadLineException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Reads a line.
   *
   * @param report counts a line that is no access
   * @return what it says, or null if it is no access
   * @throws BadLineException if it is damaged
   */
  Line parse(String line, LoadReport report) throws BadLineException;
}
