/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;

/**
 * One of the compared DataNodes.
 *
 * @param name in results
 * @param build its build
 * @param conf its additional configuration
 */
record Variant(String name, Build build, Map<String, String> conf) {

  /** The builds of DataNodes. */
  enum Build {
    /** Hadoop's own. */
    RELEASED,
    PATCHED,
    /** The patched one of an earlier version. */
    BEFORE
  }

  /** Suffix of the names of variants of {@link Build#BEFORE}. */
  static final String BEFORE = " before";
  /** In a value: the directory on the SSD. */
  static final String SSD = "<SSD>";
  /** In a value: the data directory on the HDD. */
  static final String HDD = "<HDD>";

  private static final String PMEM_DIRECTORIES = "dfs.datanode.pmem.cache.dirs";
  /** A threshold that no block reaches. */
  private static final int NEVER_ADMITTED = 1_000_000;

  /** The released DataNode. */
  static final Variant STOCK = stock("stock", Map.of());
  /** The same again: its difference from the first shows the noise. */
  static final Variant STOCK_AGAIN = stock("stock again", Map.of());
  /** Hadoop's alternative: whole replicas on the SSD by cache directives, as on pmem. */
  static final Variant PMEM_CACHE = stock("pmem cache", Map.of(PMEM_DIRECTORIES, SSD));
  /** The patched DataNode without the plugin. */
  static final Variant ABSENT = new Variant("absent", Build.PATCHED, Map.of());
  /** With the local cache and its defaults, including admission. */
  static final Variant LOCAL_CACHE = new Variant("local cache", Build.PATCHED, Map.of(
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

  /** @return the stock DataNode under another name, for other disks or caches below it. */
  static Variant stock(String name) {
    return stock(name, Map.of());
  }

  /** @return the stock DataNode, with the SSD as a separate volume. */
  static Variant twoVolumes(String name) {
    return stock(name, Map.of("dfs.datanode.data.dir", "[DISK]" + HDD + ",[SSD]" + SSD));
  }

  private static Variant stock(String name, Map<String, String> conf) {
    return new Variant(name, Build.RELEASED, conf);
  }

  /** @return the same under another name. */
  Variant named(String other) {
    return new Variant(other, build, conf);
  }

  /** @return the same, but blocks are admitted after more than this many reads. */
  Variant threshold(int reads) {
    return with(BucketTimeRateLimit.THRESHOLD_KEY, String.valueOf(reads));
  }

  /** @return the same with another setting. */
  Variant with(String key, String value) {
    Map<String, String> changed = new HashMap<>(conf);
    changed.put(key, value);
    return new Variant(name, build, changed);
  }

  /** @return variants, with the earlier version of each patched one. */
  static List<Variant> withBefore(List<Variant> variants) {
    return Stream.concat(variants.stream(), variants.stream().filter(Variant::isPatched)
        .map(variant -> new Variant(variant.name + BEFORE, Build.BEFORE, variant.conf))).toList();
  }

  boolean isPatched() {
    return build != Build.RELEASED;
  }

  /** @return the name of its directories. */
  String directory() {
    return name.replace(' ', '-');
  }

  /** @return whether reads can fill pages in it. */
  boolean isCaching() {
    return "true".equals(conf.get(LocalCacheKeys.ENABLED));
  }

  /** @return whether replicas are cached by directives. */
  boolean isPmemCache() {
    return conf.containsKey(PMEM_DIRECTORIES);
  }

  /** @return whether a block is admitted at its first read. */
  boolean isAdmittingAll() {
    return "0".equals(conf.get(BucketTimeRateLimit.THRESHOLD_KEY));
  }
}
