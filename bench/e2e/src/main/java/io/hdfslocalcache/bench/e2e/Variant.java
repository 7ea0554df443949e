/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.util.HashMap;
import java.util.Map;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;

/**
 * One of the DataNodes that are compared.
 *
 * @param name in results
 * @param isPatched whether it is not the released one
 * @param conf what it has in its configuration beyond what all have
 */
record Variant(String name, boolean isPatched, Map<String, String> conf) {

  /** In a value: the directory on the SSD. */
  static final String SSD = "<SSD>";
  /** In a value: the data directory on the HDD. */
  static final String HDD = "<HDD>";

  private static final String PMEM_DIRECTORIES = "dfs.datanode.pmem.cache.dirs";
  /** A threshold that no block reaches. */
  private static final int NEVER_ADMITTED = 1_000_000;

  /** The released DataNode. */
  static final Variant STOCK = stock("stock", Map.of());
  /** The same once more: how far it seems to be from the first shows what cannot be told apart. */
  static final Variant STOCK_AGAIN = stock("stock again", Map.of());
  /** What Hadoop itself can do: whole replicas on the SSD, by order, as if it were pmem. */
  static final Variant PMEM_CACHE = stock("pmem cache", Map.of(PMEM_DIRECTORIES, SSD));
  /** The patched DataNode without the plugin. */
  static final Variant ABSENT = new Variant("absent", true, Map.of());
  /** With the local cache, and all else of it as by default: admission, too. */
  static final Variant LOCAL_CACHE = new Variant("local cache", true, Map.of(
      "dfs.datanode.block.reader.interceptor.class",
      "io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor",
      LocalCacheKeys.ENABLED, "true"));
  /** All blocks are admitted at their first read, and all hits are in the memory tier. */
  static final Variant IN_MEMORY =
      LOCAL_CACHE.named("in memory").threshold(0).with(LocalCacheKeys.MEMORY_SIZE, "2g");
  /** The same without a memory tier: all hits are read from the SSD. */
  static final Variant FROM_SSD =
      LOCAL_CACHE.named("from SSD").threshold(0).with(LocalCacheKeys.MEMORY_SIZE, "0");
  /** With the local cache switched off. */
  static final Variant OFF =
      LOCAL_CACHE.named("switched off").threshold(0).with(LocalCacheKeys.ENABLED, "false");
  /** With a local cache that admits nothing. */
  static final Variant ADMITS_NOTHING =
      LOCAL_CACHE.named("admits nothing").threshold(NEVER_ADMITTED);

  /** @return the released DataNode under another name, for what is below it or on its disks. */
  static Variant stock(String name) {
    return stock(name, Map.of());
  }

  /** @return the released DataNode, with the SSD as a volume of its own. */
  static Variant twoVolumes(String name) {
    return stock(name, Map.of("dfs.datanode.data.dir", "[DISK]" + HDD + ",[SSD]" + SSD));
  }

  private static Variant stock(String name, Map<String, String> conf) {
    return new Variant(name, false, conf);
  }

  private Variant named(String other) {
    return new Variant(other, isPatched, conf);
  }

  /** @return the same, but blocks are admitted when they were read more often than this. */
  Variant threshold(int reads) {
    return with(BucketTimeRateLimit.THRESHOLD_KEY, String.valueOf(reads));
  }

  /** @return the same with another setting. */
  Variant with(String key, String value) {
    Map<String, String> changed = new HashMap<>(conf);
    changed.put(key, value);
    return new Variant(name, isPatched, changed);
  }

  /** @return whether pages can be in it when it has been read from. */
  boolean isCaching() {
    return "true".equals(conf.get(LocalCacheKeys.ENABLED));
  }

  /** @return whether replicas have to be cached by order. */
  boolean isPmemCache() {
    return conf.containsKey(PMEM_DIRECTORIES);
  }

  /** @return whether a block is admitted at its first read. */
  boolean isAdmittingAll() {
    return "0".equals(conf.get(BucketTimeRateLimit.THRESHOLD_KEY));
  }
}
