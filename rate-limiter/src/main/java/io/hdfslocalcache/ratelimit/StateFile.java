/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Where a rate limiter keeps a few numbers over a restart: files in a DataNode. */
public interface StateFile {

  /** The number that {@link #load} adds: how long ago the others were saved, in milliseconds. */
  String AGE = "Age";

  /**
   * Tells what was saved last. That is not one answer when SSDs were absent in turn, and each knows
   * only what was saved while it was there. Does not wait.
   *
   * @return the numbers by name, as often as differing ones were found, each with {@link #AGE};
   *     empty when nothing was ever saved
   * @throws IOException when something was saved but cannot be read, or is damaged
   */
  List<Map<String, Long>> load() throws IOException;

  /**
   * Replaces what was saved before, as a whole or not at all.
   *
   * @param values numbers by name; names have letters and digits only
   * @throws IOException when they could not be saved; what was saved before is still there
   */
  void save(Map<String, Long> values) throws IOException;
}
