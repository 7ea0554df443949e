/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.Closeable;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** Counts the warnings and errors that the local cache logs. */
final class LogCount extends AppenderSkeleton implements Closeable {

  private static final Logger LOGGER = Logger.getLogger("io.hdfslocalcache");

  private final AtomicLong lines = new AtomicLong();

  LogCount() {
    LOGGER.addAppender(this);
  }

  @Override
  protected void append(LoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
      lines.incrementAndGet();
    }
  }

  /** @return messages so far. */
  long lines() {
    return lines.get();
  }

  @Override
  public void close() {
    LOGGER.removeAppender(this);
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
