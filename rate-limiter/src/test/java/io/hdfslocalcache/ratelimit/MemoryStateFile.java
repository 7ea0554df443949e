/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.ratelimit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A state file in memory, as of the last save, whose disk can be made to fail and to hang. */
final class MemoryStateFile implements StateFile {
  private List<Map<String, Long>> last = List.of();
  private List<Map<String, Long>> onDisk = List.of();
  private int saves;
  private boolean failing;
  private Error error;
  private boolean hanging;
  private final List<Runnable> waiting = new ArrayList<>();

  @Override
  public List<Map<String, Long>> load() throws IOException {
    if (failing) {
      throw new IOException("sick SSD");
    }
    if (error != null) {
      throw error;
    }
    return last;
  }

  @Override
  public CompletableFuture<Void> save(Map<String, Long> values) {
    last = List.of(values);
    if (failing) {
      return CompletableFuture.failedFuture(new IOException("sick SSD"));
    }
    CompletableFuture<Void> end = new CompletableFuture<>();
    Runnable save = () -> {
      onDisk = List.of(values);
      saves++;
      end.complete(null);
    };
    if (hanging) {
      waiting.add(save);
    } else {
      save.run();
    }
    return end;
  }

  /** Sets the copies that are found on SSDs that were absent in turn. */
  void find(List<Map<String, Long>> copies) {
    last = copies;
  }

  /** @return what is left after a crash. */
  List<Map<String, Long>> onDisk() {
    return onDisk;
  }

  /** Drops what waits to be saved. */
  void crash() {
    hanging = false;
    waiting.clear();
    last = onDisk;
  }

  int saves() {
    return saves;
  }

  void hang() {
    hanging = true;
  }

  /** Saves what waits, in its order. @return the number of saves */
  int answer() {
    hanging = false;
    int answered = waiting.size();
    waiting.forEach(Runnable::run);
    waiting.clear();
    return answered;
  }

  /** @param now thrown when it is loaded; null: none */
  void failWith(Error now) {
    error = now;
  }

  void fail(boolean now) {
    failing = now;
  }
}
