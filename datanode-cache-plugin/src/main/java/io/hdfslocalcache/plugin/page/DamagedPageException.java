/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import java.io.IOException;

/** A page file does not hold what it should. The page is to be dropped; the replica is not. */
public class DamagedPageException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Says what is wrong with which page. */
  public DamagedPageException(String message, Throwable cause) {
    super(message, cause);
  }
}
