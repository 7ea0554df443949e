/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.health.HealthLog;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.MemoryLimits;
import io.hdfslocalcache.plugin.memory.MemoryTier;
import io.hdfslocalcache.plugin.metrics.ErrorCause;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.testing.TestingConfig;
import io.hdfslocalcache.ratelimit.AdmitAll;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import org.apache.hadoop.conf.Configuration;

/** One SSD in a temporary directory, with the index of what is on it. Expects no error. */
public final class TestingSsd implements Closeable {

  /** Small, so that tests have many pages. */
  public static final int PAGE = 4096;

  private static final String UUID = "dn-uuid";

  private final Path path;
  private final BlockIndex index = new BlockIndex();
  private final AtomicLong mostUsed = new AtomicLong();
  private final AtomicInteger evictions = new AtomicInteger();
  private final LocalCacheConfig config;
  private final SsdDirectories directories;
  private volatile boolean mayFail;
  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private volatile Runnable whenEvicted = () -> { };

  private TestingSsd(Path path, LocalCacheConfig config, MemoryTier memory) throws IOException {
    this.path = path;
    this.config = config;
    CacheRateLimiter limiter = new AdmitAll(null, null) {
      @Override
      public void evicted(String blockPoolId, long blockId, int page) {
        evictions.incrementAndGet();
        whenEvicted.run();
      }
    };
    this.directories =
        openAll(config, UUID, KeptState.nowhere(), index, memory, limiter, metrics);
  }

  private static SsdDirectories openAll(LocalCacheConfig config, String uuid, KeptState kept,
      BlockIndex index, MemoryTier memory, CacheRateLimiter limiter, LocalCacheMetrics metrics)
      throws IOException {
    return SsdDirectories.open(config, uuid, index, kept, memory, limiter, metrics,
        new HealthLog(metrics, message -> { }, System::nanoTime), () -> 0);
  }

  /** Opens the SSDs of a DataNode. */
  public static SsdDirectories openAll(LocalCacheConfig config, String uuid) throws IOException {
    return openAll(config, uuid, KeptState.nowhere());
  }

  /** The same. @param kept the DataNode's saved state */
  static SsdDirectories openAll(LocalCacheConfig config, String uuid, KeptState kept)
      throws IOException {
    return openAll(config, uuid, kept, new BlockIndex(), noMemory(), new AdmitAll(null, null),
        new LocalCacheMetrics());
  }

  private static MemoryTier noMemory() {
    return new MemoryTier(
        new MemoryLimits(Path.of("/"), 0, 0), PAGE, new BufferPool(0), System::nanoTime);
  }

  /** Opens one with room for all pages of a test. */
  public static TestingSsd open(Path path) throws IOException {
    return open(path, 64 << 20);
  }

  /** Opens one. */
  public static TestingSsd open(Path path, long capacity) throws IOException {
    return new TestingSsd(path, config(capacity, path), noMemory());
  }

  /** Opens one with a memory tier. */
  public static TestingSsd open(Path path, MemoryTier memory) throws IOException {
    return open(path, Map.of(), memory);
  }

  /** Opens one with other settings than those of {@link #config(long, Path...)}. */
  public static TestingSsd open(Path path, Map<String, String> settings) throws IOException {
    return open(path, settings, noMemory());
  }

  /** The same with a memory tier. */
  public static TestingSsd open(Path path, Map<String, String> settings, MemoryTier memory)
      throws IOException {
    Configuration conf = conf(64 << 20, path);
    settings.forEach(conf::set);
    return new TestingSsd(path, TestingConfig.from(conf), memory);
  }

  /** @return settings for these directories. */
  public static LocalCacheConfig config(long capacity, Path... paths) throws IOException {
    return TestingConfig.from(conf(capacity, paths));
  }

  /** The same. @param probeInterval time between two looks at an SSD that cannot be used */
  public static LocalCacheConfig config(long capacity, String probeInterval, Path... paths)
      throws IOException {
    Configuration conf = conf(capacity, paths);
    conf.set(TestingConfig.PROBE_INTERVAL, probeInterval);
    return TestingConfig.from(conf);
  }

  static Configuration conf(long capacity, Path... paths) {
    Configuration conf = new Configuration(false);
    conf.set(LocalCacheKeys.DIRECTORIES,
        String.join(",", Stream.of(paths).map(Path::toString).toList()));
    conf.setBoolean(LocalCacheKeys.REQUIRE_MOUNT, false);
    conf.set(LocalCacheKeys.CAPACITY, String.valueOf(capacity));
    conf.set(LocalCacheKeys.PAGE_SIZE, String.valueOf(PAGE));
    conf.set(LocalCacheKeys.RESERVED, "1m");
    conf.set(LocalCacheKeys.IO_DEADLINE, "30s");
    return conf;
  }

  /** @return what is on the SSD. */
  public BlockIndex index() {
    return index;
  }

  /** @return the SSD as all SSDs there are. */
  public SsdDirectories directories() {
    return directories;
  }

  /** @return the SSD. */
  public SsdDirectory directory() {
    return directories.all().get(0);
  }

  /** Enters a replica into the index. */
  public CachedBlock register(TestingReplica replica) {
    return index.register(replica.snapshot(), replica.layout(config.pageSize()),
        TestingReplica.IDENTITY, directory()).block();
  }

  /** Enters a replica, and caches pages of it. */
  public CachedBlock cache(TestingReplica replica, int... pages) throws IOException {
    CachedBlock block = register(replica);
    for (int page : pages) {
      ByteBuffer content = replica.page(block.layout(), page);
      PageSlice slice = PageSlice.whole(block.layout(), page);
      directory().pages().prepare(block, slice, content);
      assertTrue("no room for page " + page,
          directory().pages().publish(block, slice, content, null, true));
    }
    return block;
  }

  /**
   * Caches those parts of a page that are missing.
   *
   * @return whether they are there now
   */
  public boolean cacheParts(TestingReplica replica, CachedBlock block, int page, int first,
      int last) throws IOException {
    PageSlice slice = PageSlice.ofParts(block.layout(), page, first, last);
    int missing = slice.parts() & ~block.parts(page);
    ByteBuffer content = replica.parts(slice);
    if (block.parts(page) != 0) {
      directory().pages().extend(block, slice, missing, content);
      boolean isPublished = directory().pages().publishMore(block, page, missing);
      noteUsed();
      return isPublished;
    }
    directory().pages().prepare(block, slice, content);
    boolean isPublished = directory().pages().publish(block, slice, content, null, true);
    directory().pages().discard(block, page);
    noteUsed();
    return isPublished;
  }

  /** Enters a replica, and caches all of it. */
  public CachedBlock cacheAll(TestingReplica replica) throws IOException {
    int pages = replica.layout(config.pageSize()).pages();
    return cache(replica, Stream.iterate(0, i -> i + 1).limit(pages).mapToInt(i -> i).toArray());
  }

  /**
   * Reads a page of a block as the threads of the SSD do.
   *
   * @return its file
   * @throws PageNotReadException if it is not there
   */
  public ByteBuffer read(CachedBlock block, int page) throws IOException {
    ByteBuffer content = TestingReplica.aligned(block.layout().fileLength(page));
    directory().pages().read(block, PageSlice.whole(block.layout(), page), content.duplicate());
    return content;
  }

  /** @return number of evicted pages. */
  public int evictions() {
    return evictions.get();
  }

  private void noteUsed() {
    mostUsed.accumulateAndGet(directory().usedBytes(), Math::max);
  }

  /** @return the most space that pages have taken after one was filled. */
  public long mostUsed() {
    return mostUsed.get();
  }

  /** @return the file of a page. */
  public Path pageFile(CachedBlock block, int page) throws IOException {
    return pageFiles().stream()
        .filter(file -> file.endsWith(Path.of(block.fileId(), String.valueOf(page))))
        .findFirst().orElseThrow();
  }

  /** @return all page files. */
  public List<Path> pageFiles() throws IOException {
    return regularFiles(path.resolve(UUID).resolve(PagePaths.LAYOUT));
  }

  /** @return the directory of unfinished page files. */
  public Path temporary() {
    return path.resolve(UUID).resolve("tmp");
  }

  /** @return the unfinished page files. */
  public List<Path> temporaryFiles() throws IOException {
    return regularFiles(temporary());
  }

  private static List<Path> regularFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** Makes it impossible to save state, which the DataNode may be doing at this moment. */
  public static void makeUnsavable(Path state) throws IOException {
    for (boolean isDone = false; !isDone; ) {
      try {
        Files.deleteIfExists(state);
        Files.createDirectories(state.resolve("in-the-way"));
        isDone = true;
      } catch (FileSystemException e) {
        // It was saved once more.
      }
    }
  }

  /**
   * @return the files below a directory, deleted or not, that this process has open now; not the
   *     directories, which the clearing of old pages opens and closes in the background
   */
  public static List<String> openFilesBelow(Path directory) throws IOException {
    List<String> open = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          if (!Files.isDirectory(descriptor)) {
            open.add(Files.readSymbolicLink(descriptor).toString());
          }
        } catch (IOException e) {
          // The descriptor of the listing itself is closed already.
        }
      }
    }
    open.removeIf(file -> !file.startsWith(directory.toString()));
    return open;
  }

  /** @return the metrics. */
  public LocalCacheMetrics metrics() {
    return metrics;
  }

  /** Sets a listener for evicted pages, called as soon as their file is deleted. */
  public void whenEvicted(Runnable listener) {
    whenEvicted = listener;
  }

  /** Runs the periodic deletions now. */
  public void deleteAgain() {
    directory().deleteAgain();
  }

  /** From now on the SSD may fail. */
  public void mayFail() {
    mayFail = true;
  }

  @Override
  public void close() {
    directories.close();
    if (!mayFail) {
      for (Operation operation : Operation.values()) {
        for (ErrorCause cause : ErrorCause.values()) {
          assertEquals(operation + " " + cause, 0, metrics.errors(operation, cause));
        }
      }
    }
  }
}
