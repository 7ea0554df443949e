/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

/** A page was not read from its SSD, because too many buffers are in use. */
public final class NoBufferException extends PageNotReadException {

  private static final long serialVersionUID = 1L;

  /** All buffers are in use. */
  public NoBufferException() {
    super("too many buffers are in use");
  }
}
