/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.LocalCache;
import io.hdfslocalcache.plugin.admin.OnOff;
import io.hdfslocalcache.plugin.block.BlockKey;
import io.hdfslocalcache.plugin.block.ReplicaSnapshot;
import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import io.hdfslocalcache.plugin.read.ClientRead;
import io.hdfslocalcache.plugin.rules.RuleKeeper;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.ratelimit.CacheRateLimiter;
import io.hdfslocalcache.ratelimit.RateLimiterClock;
import io.hdfslocalcache.ratelimit.RateLimiterConfig;
import io.hdfslocalcache.ratelimit.RateLimiterFactory;
import io.hdfslocalcache.ratelimit.SafeRateLimiter;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** All that the local cache adds to a read that it does not serve. */
@State(Scope.Benchmark)
public class MissBenchmark extends Nanoseconds {

  private static final long BLOCK = 128L << 20;
  private static final int SIZE = 4096;

  private final LocalCacheMetrics metrics = new LocalCacheMetrics();
  private final OnOff onOff = new OnOff(true, true, metrics);
  private Path root;
  private LocalCache cache;

  /** Opens an empty local cache that admits nothing. */
  @Setup
  public void open() throws IOException {
    root = Files.createTempDirectory("bench-store");
    Configuration conf = new Configuration(false);
    conf.set(LocalCacheKeys.ENABLED, "true");
    conf.set(LocalCacheKeys.DIRECTORIES, Files.createDirectory(root.resolve("ssd")).toString());
    conf.set(LocalCacheKeys.REQUIRE_MOUNT, "false");
    conf.set(LocalCacheKeys.CAPACITY, "1g");
    conf.set(BucketTimeRateLimit.THRESHOLD_KEY, "1000000");
    RateLimiterClock clock = RateLimiterClock.system();
    CacheRateLimiter limiter = new SafeRateLimiter(
        RateLimiterFactory.create(RateLimiterConfig.of(conf::getTrimmed), clock), clock);
    cache = new LocalCache(LocalCacheConfig.from(conf), onOff, limiter, new NoReplicas(), metrics,
        "bench", error -> { }, RuleKeeper.none());
  }

  /** A read of a block that is not admitted, from its begin to its end. */
  @Benchmark
  public long missNotAdmitted(Target target) {
    return read(target);
  }

  /** The same, switched off. */
  @Benchmark
  public long off(SwitchedOff off, Target target) {
    return off.benchmark.read(target);
  }

  private long read(Target target) {
    // As the DataNode does it: key and snapshot are made for each read.
    ReplicaSnapshot snapshot =
        new ReplicaSnapshot(new BlockKey("BP-1234567-10.0.0.1-1234567890123", target.page()), 1001,
            BLOCK);
    int offset = target.offset(SIZE);
    ClientRead read = cache.beginRead("DFSClient_NONMAPREDUCE_1234567_1", null, snapshot, 1001,
        null, offset, SIZE);
    read.finish(offset + SIZE);
    return read.bytesFromPages();
  }

  /** Closes the local cache. */
  @TearDown
  public void close() throws IOException {
    cache.close();
    FileUtil.fullyDelete(root.toFile());
  }

  /** A second local cache, switched off. */
  @State(Scope.Benchmark)
  public static class SwitchedOff {
    private final MissBenchmark benchmark = new MissBenchmark();

    /** Opens it. */
    @Setup
    public void open() throws IOException {
      benchmark.open();
      benchmark.onOff.setOn(false, "benchmark");
    }

    /** Closes it. */
    @TearDown
    public void close() throws IOException {
      benchmark.close();
    }
  }
}
