/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.util.List;

/** Something that happens to an SSD, or to memory, and ends. */
public interface Fault {

  /** Begins. */
  void begin(FaultCluster cluster) throws IOException;

  /** Ends; all is as good as before. */
  default void end(FaultCluster cluster) throws IOException {
    cluster.ssd().faults().clear();
  }

  /**
   * @return whether beginning and ending it writes to the SSD, and so never returns while another
   *     fault has that hang: two of these are not for the same time
   */
  default boolean needsSsd() {
    return false;
  }

  /** @return faults of the file system or of the block device, as {@link FaultFs#fault} has them */
  static Fault of(String... faults) {
    List<String> all = List.of(faults);
    return cluster -> {
      for (String fault : all) {
        cluster.ssd().faults().fault(fault);
      }
    };
  }

  /** @return the same fault while the SSD is mounted without access times */
  default Fault withoutAccessTimes() {
    Fault self = this;
    return new Fault() {
      @Override
      public void begin(FaultCluster cluster) throws IOException {
        cluster.ssd().remount("noatime");
        self.begin(cluster);
      }

      @Override
      public void end(FaultCluster cluster) throws IOException {
        self.end(cluster);
        if (cluster.ssd().isInService()) {
          cluster.ssd().remount("relatime");
        }
      }

      @Override
      public boolean needsSsd() {
        return true;
      }
    };
  }
}
