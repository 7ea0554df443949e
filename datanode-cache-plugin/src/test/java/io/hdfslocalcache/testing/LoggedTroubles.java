/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.testing;

import java.io.Closeable;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** Keeps the warnings and errors that the local cache and its libraries log. */
public final class LoggedTroubles extends AppenderSkeleton implements Closeable {

  private static final Logger LOGGER = Logger.getLogger("io.hdfslocalcache");

  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** Starts to record. */
  public LoggedTroubles() {
    LOGGER.addAppender(this);
  }

  @Override
  protected void append(LoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
      lines.add(event.getLoggerName() + ": " + event.getRenderedMessage());
      if (event.getThrowableStrRep() != null) {
        lines.addAll(List.of(event.getThrowableStrRep()));
      }
    }
  }

  /** @return the lines so far, those of stack traces included. */
  public List<String> lines() {
    return lines;
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
