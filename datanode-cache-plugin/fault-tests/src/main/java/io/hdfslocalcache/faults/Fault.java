/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;
import java.util.List;

/** Something that happens to an SSD, and ends. */
public interface Fault {

  /** Begins. */
  void begin(Ssd ssd) throws IOException;

  /** Ends; the SSD is as good as before. */
  default void end(Ssd ssd) throws IOException {
    ssd.faults().clear();
  }

  /**
   * @return whether beginning and ending it writes to the SSD, and so never returns while another
   *     fault has that hang
   */
  default boolean needsSsd() {
    return false;
  }

  /** @return faults of the file system or of the block device, as {@link FaultFs#fault} has them */
  static Fault of(String... faults) {
    List<String> all = List.of(faults);
    return ssd -> {
      for (String fault : all) {
        ssd.faults().fault(fault);
      }
    };
  }
}
