/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A state file in memory, as of the last save, which can be made to fail. */
final class MemoryStateFile implements StateFile {
  private List<Map<String, Long>> saved = List.of();
  private int saves;
  private boolean failing;
  private Runnable meanwhile = () -> { };

  @Override
  public List<Map<String, Long>> load() throws IOException {
    check();
    return saved;
  }

  @Override
  public void save(Map<String, Long> values) throws IOException {
    check();
    meanwhile.run();
    saved = List.of(values);
    saves++;
  }

  /** Lets copies be found that SSDs have which were absent in turn. */
  void find(List<Map<String, Long>> copies) {
    saved = copies;
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
