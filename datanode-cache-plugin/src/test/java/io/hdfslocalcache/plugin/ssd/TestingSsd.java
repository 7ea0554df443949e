/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import static org.junit.Assert.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.block.TestingReplica;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.index.BlockIndex;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.plugin.ssd.space.PageListener;
import io.hdfslocalcache.plugin.ssd.space.StoredPage;
import io.hdfslocalcache.testing.TestingConfig;
import org.apache.hadoop.conf.Configuration;

/** One SSD in a temporary directory, with the index of what is on it. */
public final class TestingSsd implements Closeable, PageListener {

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
  private volatile IntConsumer whenBlockRemoved = pages -> { };
  private volatile Runnable whenEvicted = () -> { };
  private volatile BiConsumer<String, Integer> whenRemoved = (fileId, page) -> { };

  private TestingSsd(Path path, LocalCacheConfig config) throws IOException {
    this.path = path;
    this.config = config;
    this.directories = SsdDirectories.open(config, UUID, index, KeptState.nowhere(), ssd -> this);
  }

  /** Opens one with room for all pages of a test. */
  public static TestingSsd open(Path path) throws IOException {
    return open(path, 64 << 20);
  }

  /** Opens one. */
  public static TestingSsd open(Path path, long capacity) throws IOException {
    return new TestingSsd(path, config(capacity, path));
  }

  /** Opens one with other settings than those of {@link #config(long, Path...)}. */
  public static TestingSsd open(Path path, Map<String, String> settings) throws IOException {
    Configuration conf = conf(64 << 20, path);
    settings.forEach(conf::set);
    return new TestingSsd(path, TestingConfig.from(conf));
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

  private static Configuration conf(long capacity, Path... paths) {
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
   * Caches parts of a page, those of them that are not there.
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
      return directory().pages().publishMore(block, page, missing);
    }
    directory().pages().prepare(block, slice, content);
    boolean isPublished = directory().pages().publish(block, slice, content, null, true);
    directory().pages().discard(block, page);
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

  /** @return number of pages that had to make room. */
  public int evictions() {
    return evictions.get();
  }

  private void noteUsed() {
    // It is null while the SSD is being opened.
    if (directories != null) {
      mostUsed.accumulateAndGet(directory().usedBytes(), Math::max);
    }
  }

  /** @return the most space that pages have ever taken, as was said of them. */
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

  /** @return where files are that are no pages yet. */
  public Path temporary() {
    return path.resolve(UUID).resolve("tmp");
  }

  /** @return the files that are no pages yet. */
  public List<Path> temporaryFiles() throws IOException {
    return regularFiles(temporary());
  }

  private static List<Path> regularFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
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

  @Override
  public void pageAdded(StoredPage page) {
    noteUsed();
    index.pageAdded(page.block(), page);
  }

  @Override
  public void pageRemoved(StoredPage page) {
    index.pageRemoved(page.block(), page);
    whenRemoved.accept(page.getFileId(), page.number());
  }

  /** Sets who is told of pages that leave, after the index. */
  public void whenRemoved(BiConsumer<String, Integer> listener) {
    whenRemoved = listener;
  }

  @Override
  public void blockRemoved(int pages) {
    whenBlockRemoved.accept(pages);
  }

  /** Sets who is told of blocks whose pages have been removed. */
  public void whenBlockRemoved(IntConsumer listener) {
    whenBlockRemoved = listener;
  }

  /** Sets who is told of pages that have made room, as soon as their file is deleted. */
  public void whenEvicted(Runnable listener) {
    whenEvicted = listener;
  }

  @Override
  public void pageEvicted(StoredPage page) {
    evictions.incrementAndGet();
    whenEvicted.run();
  }

  /** Does now what is done every now and then. */
  public void deleteAgain() {
    directory().deleteAgain();
  }

  /** From now on the SSD may fail. */
  public void mayFail() {
    mayFail = true;
  }

  @Override
  public void failed(Operation operation, Throwable error) {
    if (mayFail) {
      return;
    }
    throw new AssertionError(operation.name(), error);
  }

  @Override
  public void close() {
    directories.close();
  }
}
