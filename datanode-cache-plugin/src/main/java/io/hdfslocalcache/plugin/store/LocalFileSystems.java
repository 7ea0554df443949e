/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** File systems whose answers about what is in memory can be trusted, and had without waiting. */
final class LocalFileSystems {

  private static final Set<String> TYPES =
      Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "jfs", "tmpfs", "overlay");

  private LocalFileSystems() {
  }

  /** @return whether the path is on such a file system; not on FUSE, NFS and the like. */
  static boolean contain(Path path) throws IOException {
    return TYPES.contains(Files.getFileStore(path).type());
  }
}
