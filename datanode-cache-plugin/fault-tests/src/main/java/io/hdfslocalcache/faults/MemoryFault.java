/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;

/** Something that happens to the tmpfs in which the pages in memory are. */
enum MemoryFault implements Fault {
  /** Somebody else takes all of it. */
  FULL {
    @Override
    public void begin(FaultCluster cluster) {
      cluster.memory().fill();
    }

    @Override
    public void end(FaultCluster cluster) throws IOException {
      cluster.memory().free();
    }
  },
  /** Somebody removes it, and mounts an empty one later. */
  REMOVED {
    @Override
    public void begin(FaultCluster cluster) throws IOException {
      cluster.memory().unmount();
    }

    @Override
    public void end(FaultCluster cluster) throws IOException {
      if (Threads.descriptorsBelow(cluster.memory().directory()) > 0) {
        throw new AssertionError("pages for memory were written to the disk below");
      }
      cluster.memory().mount();
    }
  };

  /** Nor can two of these be at a time. */
  @Override
  public boolean needsSsd() {
    return true;
  }
}
