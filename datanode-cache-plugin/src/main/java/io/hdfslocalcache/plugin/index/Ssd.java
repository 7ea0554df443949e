/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.index;

import java.nio.file.Path;

/** An SSD as the index knows it: where all pages of a block are. */
public interface Ssd {

  /** @return its directory as configured. */
  Path path();
}
