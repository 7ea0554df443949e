/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.util.Arrays;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import org.slf4j.LoggerFactory;

/**
 * Forwards the rate limiters' log to the DataNode's. They use only the JDK's logging, which writes
 * to standard error.
 */
final class LimiterLog extends Handler {

  private static final String NAME = "io.hdfslocalcache.ratelimit";
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(NAME);
  /** A strong reference, because an unreferenced logger loses its handlers. */
  private static final Logger LIMITERS = Logger.getLogger(NAME);

  private LimiterLog() {
  }

  /** Starts forwarding, unless already started. */
  static synchronized void open() {
    if (Arrays.stream(LIMITERS.getHandlers()).noneMatch(LimiterLog.class::isInstance)) {
      LIMITERS.setUseParentHandlers(false);
      LIMITERS.addHandler(new LimiterLog());
    }
  }

  @Override
  public void publish(LogRecord record) {
    String message = "Local cache: " + record.getMessage();
    if (record.getLevel().intValue() >= Level.SEVERE.intValue()) {
      LOG.error(message, record.getThrown());
    } else if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
      LOG.warn(message, record.getThrown());
    } else {
      LOG.info(message, record.getThrown());
    }
  }

  @Override
  public void flush() {
  }

  @Override
  public void close() {
  }
}
