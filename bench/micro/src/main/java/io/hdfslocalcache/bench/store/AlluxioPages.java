/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.shaded.alluxio.client.file.CacheContext;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.CacheManagerOptions;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.DefaultPageMetaStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.LocalCacheManager;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.CacheEvictorOptions;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.LRUCacheEvictor;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.LocalPageStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.LocalPageStoreDir;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.PageStoreOptions;
import io.hdfslocalcache.shaded.alluxio.file.ByteArrayTargetBuffer;
import org.apache.hadoop.fs.FileUtil;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The same pages in Alluxio's local cache as it comes. */
@State(Scope.Benchmark)
public class AlluxioPages {

  private static final CacheContext CONTEXT = CacheContext.defaults();
  private static final String FILE = "BP-1_1_1";

  private Path root;
  private LocalCacheManager manager;

  /** Fills the pages. */
  @Setup
  public void fill() throws IOException {
    root = Files.createTempDirectory("bench-store");
    Files.createDirectories(root.resolve("LOCAL"));
    PageStoreOptions place = new PageStoreOptions().setRootDir(root.resolve("LOCAL"))
        .setPageSize(Pages.PAGE).setCacheSize(2L * Pages.COUNT * Pages.PAGE).setOverheadRatio(0);
    CacheManagerOptions options = new CacheManagerOptions().setPageSize(Pages.PAGE)
        .setAsyncRestoreEnabled(false).setIsAsyncWriteEnabled(false).setQuotaEnabled(false)
        .setTtlEnabled(false).setPageStoreOptions(List.of(place));
    manager = LocalCacheManager.create(options, new DefaultPageMetaStore(List.of(
        new LocalPageStoreDir(place, new LocalPageStore(place),
            new LRUCacheEvictor(new CacheEvictorOptions())))));
    for (int page = 0; page < Pages.COUNT; page++) {
      if (!manager.put(id(page), ByteBuffer.allocate(Pages.PAGE), CONTEXT)) {
        throw new IOException("page " + page + " was not taken");
      }
    }
  }

  private static PageId id(int page) {
    return new PageId(FILE, page);
  }

  int read(int page, int offset, byte[] buffer, int length) {
    return manager.get(id(page), offset, length, new ByteArrayTargetBuffer(buffer, 0), CONTEXT);
  }

  /** Deletes the pages. */
  @TearDown
  public void delete() throws Exception {
    manager.close();
    FileUtil.fullyDelete(root.toFile());
  }
}
