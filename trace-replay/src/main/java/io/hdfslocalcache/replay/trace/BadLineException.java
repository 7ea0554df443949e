/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

/** A line that is not what it should be. It is counted and left out. */
final class BadLineException extends Exception {

  private static final long serialVersionUID = 1L;

  BadLineException(String message) {
    super(message, null, false, false);
  }
}
