/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;

/**
 * A page was not read from its SSD although nothing failed, for example because it was just
 * evicted: the reader uses the replica.
 */
public class PageNotReadException extends IOException {

  private static final long serialVersionUID = 1L;

  /** @param why such as "nobody waits for it" */
  public PageNotReadException(String why) {
    super(why);
  }

  /** Too many buffers are in use. */
  public static final class NoBuffer extends PageNotReadException {
    private static final long serialVersionUID = 1L;

    /** All buffers are in use. */
    public NoBuffer() {
      super("too many buffers are in use");
    }
  }
}
