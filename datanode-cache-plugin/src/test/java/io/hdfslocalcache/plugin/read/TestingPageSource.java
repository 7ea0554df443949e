/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.store.OpenPage;
import io.hdfslocalcache.plugin.store.SsdDirectory;

/** The pages of one SSD; one that failed is not there any more. */
final class TestingPageSource implements PageSource {

  /** A page that a reader gave up. */
  record Failure(int page, Operation operation, Class<? extends Exception> error) {
  }

  /** Something that happens to a page in the middle of a look-up. */
  interface Incident {
    void happen(int page) throws IOException;
  }

  private final SsdDirectory directory;
  private Incident beforeAcquire = page -> { };
  private Incident afterAcquire = page -> { };
  private final List<Failure> failures = new ArrayList<>();
  private boolean on = true;
  private int acquired;
  private int awaited;

  TestingPageSource(SsdDirectory directory) {
    this.directory = directory;
  }

  void setOn(boolean newState) {
    on = newState;
  }

  void beforeAcquire(Incident incident) {
    beforeAcquire = incident;
  }

  void afterAcquire(Incident incident) {
    afterAcquire = incident;
  }

  List<Failure> failures() {
    return failures;
  }

  /** @return how often a page was asked for. */
  int acquired() {
    return acquired;
  }

  /** @return how often something was done that may wait for the SSD. */
  int awaited() {
    return awaited;
  }

  @Override
  public boolean isOn(CachedBlock block) {
    return on;
  }

  @Override
  public OpenPage acquire(CachedBlock block, int page) {
    acquired++;
    if (failures.stream().anyMatch(failure -> failure.page() == page)) {
      return null;
    }
    try {
      beforeAcquire.happen(page);
      OpenPage open = directory.acquire(block, page);
      afterAcquire.happen(page);
      return open;
    } catch (IOException e) {
      failures.add(new Failure(page, Operation.PAGE_OPEN, e.getClass()));
      return null;
    }
  }

  @Override
  public <T> T await(CachedBlock block, Operation operation, SsdIo.Io<T> io) throws IOException {
    awaited++;
    return directory.io().await(operation, io);
  }

  @Override
  public void failed(CachedBlock block, int page, Operation operation, Exception error) {
    failures.add(new Failure(page, operation, error.getClass()));
  }
}
