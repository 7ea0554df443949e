/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Saves a few numbers of a rate limiter for a restart: files in a DataNode. Never waits. */
public interface StateFile {

  /** The number that {@link #load} adds: how long ago the others were saved, in milliseconds. */
  String AGE = "Age";

  /** Stands for the numbers while no disk can be read: {@link #load} returns null. */
  StateFile UNKNOWN = new StateFile() {
    @Override
    public List<Map<String, Long>> load() {
      return null;
    }

    @Override
    public CompletableFuture<Void> save(Map<String, Long> values) {
      CompletableFuture<Void> failed = new CompletableFuture<>();
      failed.completeExceptionally(new IOException("what is saved is not known yet"));
      return failed;
    }
  };

  /**
   * Returns the numbers saved last, even if no disk has them yet. There may be several answers if
   * SSDs were absent in turn, because each has only the numbers saved while it was present.
   *
   * @return the numbers by name, for each differing copy, each with {@link #AGE}; empty if nothing
   *     was ever saved; null if that is not known yet
   * @throws IOException if saved numbers cannot be read, or are damaged
   */
  List<Map<String, Long>> load() throws IOException;

  /**
   * Replaces the saved numbers atomically. {@link #load} returns the new ones from now on.
   *
   * @param values numbers by name; names have only letters and digits
   * @return done when a disk has them; fails with an {@link IOException} if none could save them
   */
  CompletableFuture<Void> save(Map<String, Long> values);
}
