/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Where a rate limiter keeps a few numbers over a restart: files in a DataNode. Nobody waits here. */
public interface StateFile {

  /** The number that {@link #load} adds: how long ago the others were saved, in milliseconds. */
  String AGE = "Age";

  /**
   * Tells what was saved last, whether a disk has it already or not. That is not one answer when SSDs
   * were absent in turn, and each knows only what was saved while it was there.
   *
   * @return the numbers by name, as often as differing ones were found, each with {@link #AGE};
   *     empty when nothing was ever saved
   * @throws IOException when something was saved but cannot be read, or is damaged
   */
  List<Map<String, Long>> load() throws IOException;

  /**
   * Replaces what was saved before, as a whole or not at all. {@link #load} tells it from now on.
   *
   * @param values numbers by name; names have letters and digits only
   * @return done when a disk has them, with an {@link IOException} when none could take them
   */
  CompletableFuture<Void> save(Map<String, Long> values);
}
