/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults;

import java.io.IOException;

/** Keeps the OS from having an SSD's files in memory for long, so that readers meet its faults. */
final class CacheDropper extends Background {

  private final Ssd ssd;
  private final long millis;

  CacheDropper(Ssd ssd, long millis) {
    this.ssd = ssd;
    this.millis = millis;
    begin("dropper");
  }

  @Override
  void again() throws IOException {
    try {
      ssd.dropCaches();
    } catch (IOException e) {
      // A file went meanwhile, or the SSD fails.
    }
    pause(millis);
  }
}
