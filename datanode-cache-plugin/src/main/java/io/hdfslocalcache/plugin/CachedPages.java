/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;

import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.invalidation.Invalidator;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.read.PageSource;
import io.hdfslocalcache.plugin.store.OpenPage;
import io.hdfslocalcache.plugin.store.SsdDirectories;
import io.hdfslocalcache.plugin.store.SsdDirectory;

/** The pages on the SSDs as readers get them: while switched on, and without exceptions. */
final class CachedPages implements PageSource {

  private final OnOff onOff;
  private final SsdDirectories directories;
  private final Invalidator invalidator;
  private final LocalCacheMetrics metrics;

  CachedPages(OnOff onOff, SsdDirectories directories, Invalidator invalidator,
      LocalCacheMetrics metrics) {
    this.onOff = onOff;
    this.directories = directories;
    this.invalidator = invalidator;
    this.metrics = metrics;
  }

  @Override
  public boolean isOn() {
    return onOff.isOn();
  }

  @Override
  public OpenPage acquire(CachedBlock block, int page) {
    try {
      return block.mayHave(page) ? directory(block).acquire(block, page) : null;
    } catch (IOException e) {
      failed(block, page, Operation.PAGE_OPEN, e);
    } catch (RuntimeException | Error e) {
      metrics.error(Operation.PAGE_OPEN, e);
    }
    return null;
  }

  @Override
  public void failed(CachedBlock block, int page, Operation operation, Exception error) {
    metrics.error(operation, error);
    directory(block).forgetOpen(block, page);
    // An interrupt of one reader closes the file for all; the page itself is as good as before.
    if (!(error instanceof ClosedChannelException)) {
      if (error instanceof DamagedPageException) {
        metrics.count(Event.DAMAGED_PAGES);
      }
      block.forget(page);
      invalidator.removePage(block, page);
    }
  }

  private SsdDirectory directory(CachedBlock block) {
    return directories.of(block.snapshot().key());
  }
}
