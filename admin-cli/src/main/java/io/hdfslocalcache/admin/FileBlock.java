/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.List;

/**
 * A block of a file, as the NameNode knows it. A block of an erasure-coded file is one of the
 * internal blocks that DataNodes have.
 *
 * @param path the file
 * @param name block pool and block id, such as {@code BP-1-10.0.0.1-2:blk_3}
 * @param length bytes
 * @param dataNodes {@code host:ipc_port} of each that has a replica
 */
record FileBlock(String path, String name, long length, List<String> dataNodes) {

  /** @return the name without the block pool: {@code blk_3}. */
  String shortName() {
    return BlockNames.withoutPool(name);
  }
}
