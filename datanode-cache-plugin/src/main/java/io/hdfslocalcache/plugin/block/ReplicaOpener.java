/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.block;

import java.io.IOException;

/** Opens one certain replica. */
@FunctionalInterface
public interface ReplicaOpener {

  /** @throws IOException as the DataNode would throw it if it opened the replica itself */
  ReplicaFiles open() throws IOException;
}
