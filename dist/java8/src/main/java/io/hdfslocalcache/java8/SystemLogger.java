/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** {@code System.Logger}: logs to {@link java.util.logging}, as the JDK's does by default. */
public interface SystemLogger {

  /** {@code System.Logger.Level}. */
  enum Level {
    WARNING(java.util.logging.Level.WARNING),
    ERROR(java.util.logging.Level.SEVERE);

    private final java.util.logging.Level level;

    Level(java.util.logging.Level level) {
      this.level = level;
    }
  }

  void log(Level level, String message, Throwable thrown);

  default void log(Level level, String message) {
    log(level, message, null);
  }

  /** {@code System.getLogger}. */
  static SystemLogger getLogger(String name) {
    Logger logger = Logger.getLogger(name);
    return (level, message, thrown) -> {
      LogRecord line = new LogRecord(level.level, message);
      line.setLoggerName(name);
      line.setSourceClassName(name);
      line.setThrown(thrown);
      logger.log(line);
    };
  }
}
