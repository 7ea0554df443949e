/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.page;

import java.io.IOException;

/** A page file is corrupt. The page must be dropped, but not the replica. */
public class DamagedPageException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The message names the page and the damage. */
  public DamagedPageException(String message, Throwable cause) {
    super(message, cause);
  }
}
