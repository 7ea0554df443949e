/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.shaded;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import io.hdfslocalcache.shaded.alluxio.client.file.CacheContext;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.CacheManager;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.CacheManagerOptions;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.DefaultPageMetaStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.LocalCacheManager;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.CacheEvictor;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.CacheEvictorOptions;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.LFUCacheEvictor;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.LRUCacheEvictor;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.LocalPageStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.LocalPageStoreDir;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.PageStoreOptions;
import io.hdfslocalcache.shaded.alluxio.file.ByteArrayTargetBuffer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Runs the relocated page cache on the class path of a DataNode, next to the older Dropwizard
 * Metrics that Hadoop has, and next to an operator's Alluxio and Prometheus settings that would
 * stop it if it read them (see the resources and the system properties of this module's tests).
 */
public class TestPageCache {
  private static final int PAGE_SIZE = 1024;
  private static final int CAPACITY_PAGES = 4;

  private static Set<Thread> threadsBefore;
  private static Object nettyLevelBefore;

  @Rule
  public final TemporaryFolder ssd = new TemporaryFolder();

  private final MapPageStore pageStore = new MapPageStore();
  private LocalCacheManager cache;

  @BeforeClass
  public static void lookAround() throws Exception {
    threadsBefore = Thread.getAllStackTraces().keySet();
    nettyLevelBefore = nettyLeakDetectionLevel();
  }

  @Before
  public void setUp() throws IOException {
    Files.createDirectory(root());
    long start = System.nanoTime();
    cache = open(LRUCacheEvictor.class, options -> pageStore);
    System.out.println("created in " + (System.nanoTime() - start) / 1_000_000 + " ms");
  }

  @After
  public void tearDown() throws Exception {
    cache.close();
  }

  @Test
  public void classpath_isThatOfADataNode() throws Exception {
    Class<?> hadoopsMetrics = Class.forName("com.codahale.metrics.MetricRegistry");
    assertTrue(jarOf(hadoopsMetrics).contains("metrics-core-3.2.4"));
    assertEquals(System.getProperty("shaded.jar"), jarOf(LocalCacheManager.class));
    for (String absent : List.of("com.codahale.metrics.MovingAverages", "io.grpc.Channel",
        "alluxio.client.file.cache.LocalCacheManager", "org.rocksdb.CompressionType")) {
      assertThrows(ClassNotFoundException.class, () -> Class.forName(absent));
    }
  }

  @Test
  public void get_pageThatWasPut_returnsItsBytes() {
    assertTrue(put("a", 0, 7));
    assertArrayEquals(page(7), get("a", 0));
    byte[] tail = new byte[10];
    assertEquals(10, cache.get(id("a", 0), PAGE_SIZE - 10, 10, tail, 0));
    assertArrayEquals(Arrays.copyOf(page(7), 10), tail);
  }

  @Test
  public void get_intoTargetBuffer_returnsItsBytes() {
    put("a", 0, 7);
    byte[] bytes = new byte[PAGE_SIZE];
    assertEquals(PAGE_SIZE, cache.get(id("a", 0), 0, PAGE_SIZE,
        new ByteArrayTargetBuffer(bytes, 0), CacheContext.defaults()));
    assertArrayEquals(page(7), bytes);
  }

  @Test
  public void get_unknownPage_isMiss() {
    assertEquals(0, cache.get(id("a", 0), 0, PAGE_SIZE, new byte[PAGE_SIZE], 0));
  }

  @Test
  public void get_pageLostByItsStore_isErrorAndThenMiss() {
    put("a", 0, 7);
    pageStore.pages.clear();
    assertEquals(-1, cache.get(id("a", 0), 0, PAGE_SIZE, new byte[PAGE_SIZE], 0));
    assertEquals(0, cache.get(id("a", 0), 0, PAGE_SIZE, new byte[PAGE_SIZE], 0));
  }

  @Test
  public void put_withLru_evictsThePageNotReadForLongest() {
    for (int i = 0; i < CAPACITY_PAGES; i++) {
      assertTrue(put("a", i, i));
    }
    get("a", 0);
    assertTrue(put("b", 0, 9));
    assertEquals(Set.of(id("a", 0), id("a", 2), id("a", 3), id("b", 0)), pageStore.pages.keySet());
    assertEquals(0, cache.get(id("a", 1), 0, PAGE_SIZE, new byte[PAGE_SIZE], 0));
  }

  @Test
  public void put_withLfu_evictsThePageReadLeast() throws Exception {
    cache.close();
    cache = open(LFUCacheEvictor.class, options -> pageStore);
    for (int i = 0; i < CAPACITY_PAGES; i++) {
      put("a", i, i);
    }
    for (int page : new int[] {0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3}) {
      get("a", page);
    }
    assertTrue(put("b", 0, 9));
    assertFalse(pageStore.pages.containsKey(id("a", 2)));
    assertEquals(CAPACITY_PAGES, pageStore.pages.size());
  }

  @Test
  public void deleteFile_takesAllItsPagesAndNoOther() {
    put("a", 0, 1);
    put("a", 1, 2);
    put("b", 0, 3);
    cache.deleteFile("a");
    assertEquals(Set.of(id("b", 0)), pageStore.pages.keySet());
    assertEquals(PAGE_SIZE, cache.getUsage().orElseThrow().used());
  }

  @Test
  public void create_overTheFilesOfAnEarlierCache_restoresThem() throws Exception {
    cache.close();
    cache = open(LRUCacheEvictor.class, LocalPageStore::new);
    put("a", 0, 1);
    put("a", 1, 2);
    cache.close();
    cache = open(LRUCacheEvictor.class, LocalPageStore::new);
    assertEquals(CacheManager.State.READ_WRITE, cache.state());
    assertArrayEquals(page(2), get("a", 1));
    cache.deleteFile("a");
    assertEquals(0, cache.get(id("a", 1), 0, PAGE_SIZE, new byte[PAGE_SIZE], 0));
  }

  @Test
  public void close_afterUse_leavesNoThreadBehind() throws Exception {
    put("a", 0, 1);
    get("a", 0);
    cache.close();
    Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
    left.removeAll(threadsBefore);
    assertEquals(Set.of(), left);
  }

  @Test
  public void use_ofLocks_leavesNettysLeakDetectionAlone() throws Exception {
    put("a", 0, 1);
    get("a", 0);
    assertEquals(nettyLevelBefore, nettyLeakDetectionLevel());
  }

  private LocalCacheManager open(
      Class<? extends CacheEvictor> evictor, Function<PageStoreOptions, PageStore> store)
      throws IOException {
    PageStoreOptions dir = new PageStoreOptions().setRootDir(root()).setPageSize(PAGE_SIZE)
        .setCacheSize(CAPACITY_PAGES * PAGE_SIZE);
    CacheEvictorOptions eviction = new CacheEvictorOptions().setEvictorClass(evictor);
    CacheManagerOptions options = new CacheManagerOptions().setPageSize(PAGE_SIZE)
        .setMaxEvictionRetries(10).setCacheEvictorOptions(eviction)
        .setPageStoreOptions(List.of(dir));
    return LocalCacheManager.create(options, new DefaultPageMetaStore(List.of(
        new LocalPageStoreDir(dir, store.apply(dir), CacheEvictor.create(eviction)))));
  }

  private boolean put(String file, int index, int fill) {
    return cache.put(id(file, index), page(fill));
  }

  private byte[] get(String file, int index) {
    byte[] bytes = new byte[PAGE_SIZE];
    assertEquals(PAGE_SIZE, cache.get(id(file, index), 0, PAGE_SIZE, bytes, 0));
    return bytes;
  }

  private Path root() {
    return ssd.getRoot().toPath().resolve("LOCAL");
  }

  private static PageId id(String file, int index) {
    return new PageId(file, index);
  }

  private static byte[] page(int fill) {
    byte[] bytes = new byte[PAGE_SIZE];
    Arrays.fill(bytes, (byte) fill);
    return bytes;
  }

  /** The level of the netty that the DataNode uses. */
  private static Object nettyLeakDetectionLevel() throws ReflectiveOperationException {
    return Class.forName("io.netty.util.ResourceLeakDetector").getMethod("getLevel").invoke(null);
  }

  private static String jarOf(Class<?> type) throws Exception {
    return new File(type.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
  }
}
