/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.io.IOException;

/**
 * The local cache is configured in a way that it cannot work with. The one error of the local
 * cache that stops a DataNode, and only while it starts.
 *
 * <p>It has no stack trace and no cause: the DataNode logs what stopped it with both, and the
 * operator's mistake would be one line among many.
 */
public class BadConfigurationException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes a message of one line.
   *
   * @param key the configuration key
   * @param value what it is set to
   * @param allowed what it may be set to, or what is wrong with it
   */
  public BadConfigurationException(String key, String value, String allowed) {
    this((value.isEmpty() ? key + " has no value: " : key + " = " + value + ": ") + allowed);
  }

  /** Passes on a message that names key, value and what is allowed already. */
  public BadConfigurationException(String message) {
    super(message);
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
