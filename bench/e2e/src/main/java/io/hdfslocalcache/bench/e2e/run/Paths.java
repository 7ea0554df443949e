/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.util.List;

/** The names of all paths, which begin with their stage. */
final class Paths {

  static final List<String> ALL = List.of(
      "hit/seq-1", "hit/seq-4",
      "hit/pread-64k-1", "hit/pread-64k-8", "hit/pread-64k-64",
      "hit/pread-4k-1", "hit/pread-4k-8",
      "bypass/seq-1", "bypass/pread-64k-8", "bypass/pread-4k-1",
      "miss/pread-4k-1",
      "fill/seq-1", "fill/pread-64k-1",
      "hdd/ssd-writes", "hdd/cold-hits", "hdd/idle", "hdd/mixed-hot", "hdd/mixed-cold",
      "saturated/zipf-64k-32",
      "profile/seq-1", "profile/pread-64k-8", "profile/pread-4k-8",
      "micro/1-threads", "micro/2-threads", "micro/heap");

  private Paths() {
  }
}
