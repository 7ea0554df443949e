/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import java.nio.file.Path;

/** The SSD of all pages of a block, as the index knows it. */
public interface Ssd {

  /** @return its directory as configured. */
  Path path();
}
