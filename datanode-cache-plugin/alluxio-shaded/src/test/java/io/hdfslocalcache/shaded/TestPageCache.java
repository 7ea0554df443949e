/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.shaded;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.CacheManagerOptions;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.DefaultPageMetaStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.LocalCacheManager;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.CacheEvictor;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.CacheEvictorOptions;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.evictor.LRUCacheEvictor;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.LocalPageStore;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.LocalPageStoreDir;
import io.hdfslocalcache.shaded.alluxio.client.file.cache.store.PageStoreOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    cache = open();
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
  public void put_withLru_evictsThePageNotReadForLongest() {
    for (int i = 0; i < CAPACITY_PAGES; i++) {
      assertTrue(put("a", i, i));
    }
    get("a", 0);
    assertTrue(put("b", 0, 9));
    assertEquals(0, cache.get(id("a", 1), 0, PAGE_SIZE, new byte[PAGE_SIZE], 0));
    assertArrayEquals(page(0), get("a", 0));
    assertArrayEquals(page(9), get("b", 0));
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

  private LocalCacheManager open() throws IOException {
    PageStoreOptions dir = new PageStoreOptions().setRootDir(root()).setPageSize(PAGE_SIZE)
        .setCacheSize(CAPACITY_PAGES * PAGE_SIZE);
    CacheEvictorOptions eviction =
        new CacheEvictorOptions().setEvictorClass(LRUCacheEvictor.class);
    CacheManagerOptions options = new CacheManagerOptions().setPageSize(PAGE_SIZE)
        .setMaxEvictionRetries(10).setCacheEvictorOptions(eviction)
        .setPageStoreOptions(List.of(dir));
    return LocalCacheManager.create(options, new DefaultPageMetaStore(List.of(
        new LocalPageStoreDir(dir, new LocalPageStore(dir), CacheEvictor.create(eviction)))));
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
