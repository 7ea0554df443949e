/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import java.io.IOException;

import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.health.SsdUnavailableException;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.invalidation.Invalidator;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadTimes;
import io.hdfslocalcache.plugin.read.PageSource;
import io.hdfslocalcache.plugin.store.OpenPage;
import io.hdfslocalcache.plugin.store.SsdDirectories;
import io.hdfslocalcache.plugin.store.SsdDirectory;

/** The pages on the SSDs as readers get them: while switched on and their SSD is well, and without exceptions. */
final class CachedPages implements PageSource {

  private final OnOff onOff;
  private final SsdDirectories directories;
  private final Invalidator invalidator;
  private final LocalCacheMetrics metrics;
  private final ReadTimes times;

  CachedPages(OnOff onOff, SsdDirectories directories, Invalidator invalidator,
      LocalCacheMetrics metrics, ReadTimes times) {
    this.onOff = onOff;
    this.directories = directories;
    this.invalidator = invalidator;
    this.metrics = metrics;
    this.times = times;
  }

  @Override
  public boolean isOn(CachedBlock block) {
    return onOff.isOn() && directories.mayRead(block.snapshot().key());
  }

  @Override
  public OpenPage acquire(CachedBlock block, int page) {
    try {
      if (!block.mayHave(page)) {
        return null;
      }
      SsdDirectory directory = directory(block);
      OpenPage open = directory.acquireOpen(block, page);
      return open != null ? open
          : await(block, Operation.PAGE_OPEN, () -> directory.acquire(block, page));
    } catch (IOException e) {
      failed(block, page, Operation.PAGE_OPEN, e);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.PAGE_OPEN, e);
    }
    return null;
  }

  @Override
  public <T> T await(CachedBlock block, Operation operation, SsdIo.Io<T> io) throws IOException {
    if (operation != Operation.PAGE_READ) {
      return directory(block).io().await(operation, io);
    }
    long begin = System.nanoTime();
    try {
      return directory(block).io().await(operation, io);
    } finally {
      times.ssd(System.nanoTime() - begin);
    }
  }

  @Override
  public void replicaRead(long nanos) {
    times.volume(nanos);
  }

  @Override
  public void failed(CachedBlock block, int page, Operation operation, Exception error) {
    if (error instanceof SsdUnavailableException) {
      return;
    }
    metrics.error(operation, error);
    directory(block).io().health().failed(operation, error);
    ErrorCause cause = ErrorCause.of(error);
    if (cause == ErrorCause.TIMEOUT) {
      // The page may be as good as ever, and closing its file may take as long as reading it.
      return;
    }
    // An interrupt of one reader has closed the file for all.
    directory(block).forgetOpen(block, page);
    if (!cause.isOfDisk()) {
      // The page is as good as before.
      return;
    }
    if (cause == ErrorCause.DAMAGED) {
      metrics.count(Event.DAMAGED_PAGES);
    }
    block.forget(page);
    invalidator.removePage(block, page);
  }

  private SsdDirectory directory(CachedBlock block) {
    return directories.of(block.snapshot().key());
  }
}
