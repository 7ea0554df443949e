/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.hdfslocalcache.harness.Run;

/** Somebody else takes all the space of the SSD, and gives it back. */
final class FullDisk implements Fault {

  @Override
  public void begin(FaultCluster cluster) throws IOException {
    Ssd ssd = cluster.ssd();
    Path other = other(ssd);
    long free = Files.getFileStore(ssd.directory()).getUsableSpace();
    while (free >= 4096) {
      // What the file system itself needs to describe the file is not known.
      Run.tryTo("fallocate", "-o", String.valueOf(Files.exists(other)
          ? Files.size(other) : 0), "-l", String.valueOf(free), other.toString());
      free = Math.min(free / 2, Files.getFileStore(ssd.directory()).getUsableSpace());
    }
  }

  @Override
  public boolean needsSsd() {
    return true;
  }

  @Override
  public void end(FaultCluster cluster) throws IOException {
    Files.deleteIfExists(other(cluster.ssd()));
  }

  private static Path other(Ssd ssd) {
    return ssd.directory().resolveSibling("of-somebody-else");
  }
}
