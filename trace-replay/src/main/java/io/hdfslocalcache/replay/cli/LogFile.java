/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

/** The file that the log goes to, as the launcher says; by {@code yarn jar} there is none. */
final class LogFile {

  /** What the launcher sets for log4j, too. */
  private static final String PROPERTY = "demo.log";

  private LogFile() {
  }

  /** @return its name, or null if the log goes elsewhere. */
  static String name() {
    return System.getProperty(PROPERTY);
  }

  /** @return an addition to a message that says where more is to be found; empty if unknown. */
  static String hint() {
    return name() == null ? "" : "; log: " + name();
  }
}
