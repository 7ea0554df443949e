/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.file.PageFiles;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * A directory of a dry run, which is only a name. It has room for all pages, stores no bytes, and
 * never fails.
 */
public final class DryRunHome extends SsdHome {

  /** More than any capacity; the sum of two does not overflow. */
  public static final long ANY_SPACE = Long.MAX_VALUE / 4;

  /** @param name a path that does not exist */
  public DryRunHome(Path name, String datanodeUuid, int pageSize) {
    super(name, datanodeUuid, pageSize);
  }

  @Override
  public PageFiles files(Consumer<PageId> onDelete, Runnable onMissing,
      BiConsumer<Operation, IOException> onFailure) {
    return new NoFiles(paths(), onDelete, onFailure);
  }

  @Override
  public long usableBytes() {
    return ANY_SPACE;
  }

  @Override
  public long probe(LongSupplier nanoClock, long readsNanos) {
    // Nothing can fail.
    return 0;
  }

  @Override
  public void tellIfUnwise() {
    // There is no directory.
  }

  @Override
  Path sign() {
    return root();
  }

  @Override
  String gone(Path entered) {
    return null;
  }

  /** Pages without bytes. */
  private static final class NoFiles extends PageFiles {
    private final Consumer<PageId> onDelete;

    NoFiles(PagePaths paths, Consumer<PageId> onDelete,
        BiConsumer<Operation, IOException> onFailure) {
      super(paths, onDelete, () -> { }, onFailure, TimeAndThreads.get()::nanoTime, false);
      this.onDelete = onDelete;
    }

    @Override
    public void prepare(PageId id, PageSlice slice, ByteBuffer buffer) {
      // Nothing is written.
    }

    @Override
    public void extend(PageId id, PageSlice slice, int parts, int all, ByteBuffer buffer) {
      // Nothing is written.
    }

    @Override
    public void put(PageId id, ByteBuffer accountedFor, boolean isTemporary) {
      // Alluxio's index has the page now; nothing else is stored.
    }

    @Override
    public void read(PageId id, PageSlice slice, ByteBuffer buffer) throws IOException {
      throw new IOException("a dry run has no bytes of page " + id);
    }

    @Override
    public void delete(PageId id, boolean isTemporary) {
      onDelete.accept(id);
    }
  }
}
