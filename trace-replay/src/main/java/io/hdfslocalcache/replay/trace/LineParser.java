/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

/** Understands the lines of one file. */
interface LineParser {

  /** What a line was. */
  enum Kind {
    /** An access. */
    ACCESS,
    /** A read by another DataNode, of which a local cache takes no notice. */
    NOT_CLIENT,
    /** Something else that belongs in such a file. */
    OTHER
  }

  /**
   * Reads a line.
   *
   * @param line the line
   * @param access takes what the line says, if it is an access
   * @return what the line was
   * @throws BadLineException if it is damaged
   */
  Kind parse(String line, Access access) throws BadLineException;

  /** @return the time by which the lines of the file are ordered, of the last access, in ms. */
  long orderMillis();

  /** @return whether the lines tell who reads. */
  boolean hasReader();
}
