/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import io.hdfslocalcache.bench.e2e.client.Load;

/** The loads that paths are named after. */
final class Loads {

  private static final int KB = 1024;

  private Loads() {
  }

  /**
   * The load of a path.
   *
   * @param name such as {@code seq-4} or {@code pread-64k-8}: the last number is that of readers
   * @param files the files to read, the first ones
   */
  static Load named(String name, double seconds, int files) {
    String[] parts = name.split("-");
    int readers = Integer.parseInt(parts[parts.length - 1]);
    return parts[0].equals("seq") ? Load.sequential(readers, seconds, 0, files)
        : Load.pread(readers, Integer.parseInt(parts[1].replace("k", "")) * KB, seconds, 0, files);
  }
}
