/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.util.Map;

/** A state file in memory, as of the last save, which can be made to fail. */
final class MemoryStateFile implements StateFile {
  private Map<String, Long> saved = Map.of();
  private int saves;
  private boolean failing;
  private Runnable meanwhile = () -> { };

  @Override
  public Map<String, Long> load() throws IOException {
    check();
    return saved;
  }

  @Override
  public void save(Map<String, Long> values) throws IOException {
    check();
    meanwhile.run();
    saved = values;
    saves++;
  }

  int saves() {
    return saves;
  }

  /** @param action what happens in each save, before anything is saved */
  void whileSaving(Runnable action) {
    meanwhile = action;
  }

  void fail(boolean now) {
    failing = now;
  }

  private void check() throws IOException {
    if (failing) {
      throw new IOException("sick SSD");
    }
  }
}
