/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;


import java.io.IOException;

/** A file of rules that cannot be used; the message says where it is wrong, and how. */
public class BadRulesException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int line;

  BadRulesException(String file, int line, int column, String what) {
    super(file + ":" + line + ":" + column + ": " + what);
    this.line = line;
  }

  BadRulesException(String file, String what, Throwable cause) {
    super(file + ": " + what, cause);
    this.line = 0;
  }

  /** @return the line of the error, from 1; 0 if the file could not be read at all. */
  public int line() {
    return line;
  }
}
