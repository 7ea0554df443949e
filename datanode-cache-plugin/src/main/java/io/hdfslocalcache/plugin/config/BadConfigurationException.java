/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * The configuration of the local cache is not valid. This is the only error of the local cache that
 * stops a DataNode, and only while it starts.
 *
 * <p>It has no stack trace and no cause: the DataNode logs both, and they would bury the line that
 * names the mistake.
 */
public class BadConfigurationException extends IOException {

  private static final long serialVersionUID = 1L;

  private final List<String> mistakes;

  /**
   * Builds a message of one line.
   *
   * @param key the configuration key
   * @param value its value
   * @param allowed its allowed values, or what is wrong with it
   */
  public BadConfigurationException(String key, String value, String allowed) {
    this((value.isEmpty() ? key + " has no value: " : key + " = " + value + ": ") + allowed);
  }

  /** Takes a message that already names key, value and allowed values. */
  public BadConfigurationException(String message) {
    this(List.of(message));
  }

  /** Names several mistakes in one line, because the DataNode logs one. */
  BadConfigurationException(Collection<String> mistakes) {
    super(String.join("; ", mistakes));
    this.mistakes = List.copyOf(mistakes);
  }

  /** @return the mistakes, one line each. */
  List<String> mistakes() {
    return mistakes;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
