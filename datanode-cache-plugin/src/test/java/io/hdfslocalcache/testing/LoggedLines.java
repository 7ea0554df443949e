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

/**
 * Keeps lines of the log. Several threads may log at once, unlike with Hadoop's LogCapturer, which
 * shares the layout of the console, and so its buffer.
 */
public final class LoggedLines extends AppenderSkeleton implements Closeable {

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Level least;

  /** Keeps the warnings and errors that the local cache and its libraries log from now on. */
  public LoggedLines() {
    this("io.hdfslocalcache", Level.WARN);
  }

  private LoggedLines(String name, Level least) {
    this.logger = Logger.getLogger(name);
    this.least = least;
    logger.addAppender(this);
  }

  /** @return all lines of a logger, and those below it, from now on. */
  public static LoggedLines of(String logger) {
    return new LoggedLines(logger, Level.ALL);
  }

  @Override
  protected void append(LoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(least)) {
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
    logger.removeAppender(this);
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
