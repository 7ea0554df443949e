/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.cluster;

import java.util.HashMap;
import java.util.Map;

import io.hdfslocalcache.bench.e2e.client.ReadClient;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;

/**
 * One of the DataNodes that are compared.
 *
 * @param name in tables
 * @param patched whether it is not the released one
 * @param conf what it has in its configuration beyond what all have
 * @param client what its clients have in theirs; empty: the defaults, with which they read through
 *     the DataNode
 */
public record Variant(String name, boolean patched, Map<String, String> conf,
    Map<String, String> client) {

  /** The released DataNode. */
  public static final Variant STOCK = new Variant("stock", false, Map.of());
  /** The same once more: how far it seems to be from the first shows what cannot be told apart. */
  public static final Variant STOCK_AGAIN = new Variant("stock again", false, Map.of());
  /** What Hadoop itself can do: whole replicas on the SSD, by order, as if it were pmem. */
  public static final Variant PMEM_CACHE =
      new Variant("pmem cache", false, Map.of(Variant.PMEM_DIRECTORIES, Variant.SSD));
  /** The released DataNode, whose clients read the files of the replicas themselves. */
  public static final Variant SHORT_CIRCUIT = shortCircuit("stock short-circuit", Map.of());
  /**
   * The same with HBase's buffers. By default, a positioned read of some bytes reads a whole MB and
   * verifies it.
   */
  public static final Variant SHORT_CIRCUIT_128K = shortCircuit("stock short-circuit 128k",
      Map.of("dfs.client.read.shortcircuit.buffer.size", String.valueOf(128 << 10)));
  /** The patched DataNode without the plugin. */
  public static final Variant ABSENT = new Variant("absent", true, Map.of());

  /** As a value: the directory on the SSD. */
  static final String SSD = "SSD";

  private static final String PMEM_DIRECTORIES = "dfs.datanode.pmem.cache.dirs";
  /** A threshold that no block reaches. */
  private static final int NEVER_ADMITTED = 1_000_000;
  private static final String INTERCEPTOR = "dfs.datanode.block.reader.interceptor.class";
  private static final String PLUGIN = "io.hdfslocalcache.plugin.hdfs.LocalCacheInterceptor";

  private Variant(String name, boolean patched, Map<String, String> conf) {
    this(name, patched, conf, Map.of());
  }

  private static Variant shortCircuit(String name, Map<String, String> more) {
    Map<String, String> switched = Map.of(ReadClient.SHORT_CIRCUIT, "true");
    Map<String, String> client = new HashMap<>(more);
    client.putAll(switched);
    return new Variant(name, false, switched, client);
  }

  /** @return whether clients read past the DataNode. */
  public boolean isShortCircuit() {
    return client.containsKey(ReadClient.SHORT_CIRCUIT);
  }

  /** With the local cache, which admits every block at its first read. */
  public static Variant cached(String name) {
    return new Variant(name, true, Map.of(INTERCEPTOR, PLUGIN, LocalCacheKeys.ENABLED, "true",
        BucketTimeRateLimit.THRESHOLD_KEY, "0"));
  }

  /** With the local cache, and all else of it as by default: admission, too. */
  public static Variant byDefault(String name) {
    return new Variant(name, true, Map.of(INTERCEPTOR, PLUGIN, LocalCacheKeys.ENABLED, "true"));
  }

  /** With the local cache, whose hits are all in the memory tier. */
  public static final Variant IN_MEMORY =
      cached("in memory").with(LocalCacheKeys.MEMORY_SIZE, "2g");
  /** The same without a memory tier: all hits are read from the SSD. */
  public static final Variant FROM_SSD = cached("from SSD").with(LocalCacheKeys.MEMORY_SIZE, "0");

  /** With the local cache switched off. */
  public static Variant off(String name) {
    return cached(name).with(LocalCacheKeys.ENABLED, "false");
  }

  /** With a local cache that admits nothing. */
  public static Variant admittingNothing(String name) {
    return cached(name).threshold(NEVER_ADMITTED);
  }

  /** @return the same, but blocks are admitted when they were read more often than this. */
  public Variant threshold(int reads) {
    return with(BucketTimeRateLimit.THRESHOLD_KEY, String.valueOf(reads));
  }

  private Variant with(String key, String value) {
    Map<String, String> changed = new HashMap<>(conf);
    changed.put(key, value);
    return new Variant(name, patched, changed);
  }

  /** @return whether pages can be in it when it has been read from. */
  public boolean isCaching() {
    return "true".equals(conf.get(LocalCacheKeys.ENABLED));
  }

  /** @return whether replicas have to be cached by order. */
  public boolean isPmemCache() {
    return conf.containsKey(PMEM_DIRECTORIES);
  }

  /** @return whether a block is admitted at its first read. */
  public boolean admits() {
    return "0".equals(conf.get(BucketTimeRateLimit.THRESHOLD_KEY));
  }
}
