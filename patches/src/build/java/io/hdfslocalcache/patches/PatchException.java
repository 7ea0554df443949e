/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;

/** The patches or the upstream artifacts are not as they must be. Fails the build. */
public class PatchException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * @param where the file to look at, as written in the series, and its line if there is one
   * @param what what is wrong with it
   */
  public PatchException(String where, String what) {
    super(where + ": " + what);
  }
}
