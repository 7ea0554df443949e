/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.ssd.PageNotReadException;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;

/** The pages of one SSD and its memory tier, without those that failed. */
public final class TestingPageSource extends CachedPages {

  /** A page that a reader gave up. */
  record Failure(int page, Operation operation, Class<? extends Exception> error) {
  }

  /** Something that happens to a page in the middle of a look-up. */
  interface Incident {
    void happen(int page) throws IOException;
  }

  private static final ReadThrough NOBODY =
      new ReadThrough(null, null, null, null, null, null, null,
          TimeUnit.MINUTES.toNanos(2));

  /** Gets nothing: missed parts are sent from the replica. */
  public static class NoVisits extends ReadThrough.MissedParts {

    /** @param block the block whose parts are missed */
    public NoVisits(CachedBlock block) {
      NOBODY.super(block, null);
    }

    @Override
    public PageBytes get(int page, int from, int to, int wanted) {
      return null;
    }

    @Override
    public void replicaRead(long bytes, long nanos) {
    }
  }

  private final SsdDirectory directory;
  private final MemoryTier memory;
  private final PageFetches fetches;
  private Incident beforeGet = page -> { };
  private Incident afterGet = page -> { };
  private final List<Failure> failures = new ArrayList<>();
  private boolean on = true;
  private int asked;

  TestingPageSource(SsdDirectory directory, MemoryTier memory, PageFetches fetches) {
    super(null, memory, fetches, null);
    this.directory = directory;
    this.memory = memory;
    this.fetches = fetches;
  }

  void setOn(boolean newState) {
    on = newState;
  }

  void beforeGet(Incident incident) {
    beforeGet = incident;
  }

  void afterGet(Incident incident) {
    afterGet = incident;
  }

  List<Failure> failures() {
    return failures;
  }

  /** @return how often a page was asked for. */
  int asked() {
    return asked;
  }

  @Override
  public boolean isOn(CachedBlock block) {
    return on;
  }

  @Override
  PageBytes get(CachedBlock block, int page, int from, int to, int wanted, PageFetch begun,
      WaitBudget budget) {
    asked++;
    if (failures.stream().anyMatch(failure -> failure.page() == page)) {
      return null;
    }
    try {
      beforeGet.happen(page);
      PageBytes bytes = memory.find(block, page);
      if (bytes == null) {
        bytes = fetches.await(begun != null && begun.covers(from, to) ? begun
            : fetches.begin(directory, block, page, from, to, wanted), from,
            wanted, budget);
      }
      afterGet.happen(page);
      return bytes;
    } catch (PageNotReadException e) {
      return null;
    } catch (IOException e) {
      failures.add(new Failure(page, Operation.PAGE_READ, e.getClass()));
      return null;
    }
  }

  @Override
  PageFetch readAhead(CachedBlock block, int page, int wanted) {
    return null;
  }

  @Override
  public void lost(CachedBlock block, int page, Exception error) {
    failures.add(new Failure(page, Operation.MEMORY_READ, error.getClass()));
    memory.remove(block.page(page));
  }
}
