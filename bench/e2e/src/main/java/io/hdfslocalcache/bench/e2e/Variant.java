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
 * One of the DataNodes that are compared.
 *
 * @param name in results
 * @param build whose it is
 * @param conf what it has in its configuration beyond what all have
 */
record Variant(String name, Build build, Map<String, String> conf) {

  /** Whose a DataNode is. */
  enum Build {
    /** Hadoop's own. */
    RELEASED,
    PATCHED,
    /** The patched one of a version before. */
    BEFORE
  }

  /** Ends the name of a variant of {@link Build#BEFORE}. */
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
  /** The same once more: how far it seems to be from the first shows what cannot be told apart. */
  static final Variant STOCK_AGAIN = stock("stock again", Map.of());
  /** What Hadoop itself can do: whole replicas on the SSD, by order, as if it were pmem. */
  static final Variant PMEM_CACHE = stock("pmem cache", Map.of(PMEM_DIRECTORIES, SSD));
  /** The patched DataNode without the plugin. */
  static final Variant ABSENT = new Variant("absent", Build.PATCHED, Map.of());
  /** With the local cache, and all else of it as by default: admission, too. */
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

  /** @return the released DataNode under another name, for what is below it or on its disks. */
  static Variant stock(String name) {
    return stock(name, Map.of());
  }

  /** @return the released DataNode, with the SSD as a volume of its own. */
  static Variant twoVolumes(String name) {
    return stock(name, Map.of("dfs.datanode.data.dir", "[DISK]" + HDD + ",[SSD]" + SSD));
  }

  private static Variant stock(String name, Map<String, String> conf) {
    return new Variant(name, Build.RELEASED, conf);
  }

  private Variant named(String other) {
    return new Variant(other, build, conf);
  }

  /** @return the same, but blocks are admitted when they were read more often than this. */
  Variant threshold(int reads) {
    return with(BucketTimeRateLimit.THRESHOLD_KEY, String.valueOf(reads));
  }

  /** @return the same with another setting. */
  Variant with(String key, String value) {
    Map<String, String> changed = new HashMap<>(conf);
    changed.put(key, value);
    return new Variant(name, build, changed);
  }

  /** @return variants, and each of them that is patched as it was before. */
  static List<Variant> withBefore(List<Variant> variants) {
    return Stream.concat(variants.stream(), variants.stream().filter(Variant::isPatched)
        .map(variant -> new Variant(variant.name + BEFORE, Build.BEFORE, variant.conf))).toList();
  }

  boolean isPatched() {
    return build != Build.RELEASED;
  }

  /** @return the last part of its directories. */
  String directory() {
    return name.replace(' ', '-');
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
