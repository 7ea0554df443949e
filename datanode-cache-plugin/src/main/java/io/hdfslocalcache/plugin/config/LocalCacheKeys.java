/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.util.Map;

/**
 * Every configuration key of the local cache, each with its default. The keys of the rate limiter
 * are beside the rate limiters. {@code conf/local-cache-default.xml} documents them for operators;
 * a test holds the two together.
 */
public final class LocalCacheKeys {

  /** What all keys begin with. */
  public static final String PREFIX = "dfs.datanode.local.cache.";

  /** Whether the local cache is on when the DataNode starts; the admin command may change it. */
  public static final String ENABLED = PREFIX + "enabled";
  public static final boolean ENABLED_DEFAULT = false;

  /** Comma-separated absolute directories, one on each SSD. */
  public static final String DIRECTORIES = PREFIX + "directories";

  /** Whether a directory is used only if it is on another file system than the root directory. */
  public static final String REQUIRE_MOUNT = PREFIX + "require.mount";
  public static final boolean REQUIRE_MOUNT_DEFAULT = true;

  /** SSD space that pages may take in each directory: bytes with size suffix, or percent. */
  public static final String CAPACITY = PREFIX + "capacity";

  /** Bytes to be kept free on the file system of each directory, with size suffix. */
  public static final String RESERVED = PREFIX + "reserved";
  public static final String RESERVED_DEFAULT = "1g";

  /** Bytes of block data in a page, with size suffix. */
  public static final String PAGE_SIZE = PREFIX + "page.size";
  public static final String PAGE_SIZE_DEFAULT = "1m";

  /** Threads for each SSD that copy pages from the data volumes to it. */
  public static final String FILL_THREADS = PREFIX + "fill.threads";
  public static final int FILL_THREADS_DEFAULT = 4;

  /** Bytes per second that fills may copy, all SSDs together, with size suffix; 0: no limit. */
  public static final String FILL_RATE = PREFIX + "fill.rate";
  public static final String FILL_RATE_DEFAULT = "100m";

  /** Bytes of memory for the pages that are read most, with size suffix; 0: none. */
  public static final String MEMORY_SIZE = PREFIX + "memory.size";
  public static final String MEMORY_SIZE_DEFAULT = "1g";

  /** Absolute directory in a tmpfs, for the pages in memory. */
  public static final String MEMORY_DIRECTORY = PREFIX + "memory.directory";
  public static final String MEMORY_DIRECTORY_DEFAULT = "/dev/shm";

  /** Keys of earlier versions, each with what is in its place. */
  public static final Map<String, String> REMOVED = Map.ofEntries(
      Map.entry(PREFIX + "fill.busy.rate", "what readers miss is filled from their own reads"),
      Map.entry(PREFIX + "fill.queue.pages", "4096 pages may wait for each SSD"),
      Map.entry(PREFIX + "fill.threads.per.volume",
          "each SSD has one background fill at a time from each data volume"),
      Map.entry(PREFIX + "io.threads", "32 threads read each SSD"),
      Map.entry(PREFIX + "open.files", "no page file is kept open any more"),
      Map.entry(PREFIX + "probe.interval", "a sick SSD is probed every 10 s"),
      Map.entry(PREFIX + "rate.limiter.bucket",
          "its value follows from rate.limiter.threshold and rate.limiter.window"),
      Map.entry(PREFIX + "rate.limiter.max.blocks.per.bucket",
          "rate.limiter.max.blocks bounds what is remembered"),
      Map.entry(PREFIX + "rate.limiter.max.pages", "it is 16 times rate.limiter.max.blocks"),
      Map.entry(PREFIX + "rate.limiter.page.window", "it is an hour"),
      Map.entry(PREFIX + "verify", "all that an SSD returns is verified"));

  /** How long a reader waits for an SSD before it goes on from the data volume; a time. */
  public static final String IO_DEADLINE = PREFIX + "io.deadline";
  public static final String IO_DEADLINE_DEFAULT = "1s";

  /** A read of a disk that takes longer is counted as slow; a time. */
  public static final String SLOW_READ_THRESHOLD = PREFIX + "slow.read.threshold";
  public static final String SLOW_READ_THRESHOLD_DEFAULT = "300ms";

  /** Whether pages of before the DataNode's restart are kept; else directories are cleared. */
  public static final String RESTORE = PREFIX + "restore";
  public static final boolean RESTORE_DEFAULT = true;

  /** Whether reads are traced when the DataNode starts; the admin command may change it. */
  public static final String TRACE_ENABLED = PREFIX + "trace.enabled";
  public static final boolean TRACE_ENABLED_DEFAULT = false;

  /** Absolute directory of the trace; empty: {@code local-cache-trace} where the logs are. */
  public static final String TRACE_DIRECTORY = PREFIX + "trace.directory";

  /** Bytes that all files of the trace may take, with size suffix. */
  public static final String TRACE_MAX_BYTES = PREFIX + "trace.max.bytes";
  public static final String TRACE_MAX_BYTES_DEFAULT = "1g";

  /** Share of the blocks whose reads are traced. */
  public static final String TRACE_SAMPLE = PREFIX + "trace.sample";
  public static final String TRACE_SAMPLE_DEFAULT = "1";

  /** Whether blocks and readers get other names in the trace. */
  public static final String TRACE_ANONYMOUS = PREFIX + "trace.anonymous";
  public static final boolean TRACE_ANONYMOUS_DEFAULT = false;

  /** A JSON file with rules by path and client, absolute; empty: no rules. */
  public static final String RULES_FILE = PREFIX + "rules.file";

  /** Time between two looks at the file of rules, and at the NameNode for their paths; a time. */
  public static final String RULES_INTERVAL = PREFIX + "rules.interval";
  public static final String RULES_INTERVAL_DEFAULT = "10m";

  /** Blocks of rules' paths that are remembered. */
  public static final String RULES_MAX_BLOCKS = PREFIX + "rules.max.blocks";
  public static final int RULES_MAX_BLOCKS_DEFAULT = 1_000_000;

  /** Absolute directory that keeps what was pinned by command; empty: the first of the SSDs. */
  public static final String PINS_DIRECTORY = PREFIX + "pins.directory";

  /** Whether the local cache is only played through: nothing is written to or read from an SSD. */
  public static final String DRY_RUN = PREFIX + "dry-run";
  public static final boolean DRY_RUN_DEFAULT = false;

  /** Comma-separated names of settings that are played through beside each other. */
  public static final String DRY_RUN_GHOSTS = PREFIX + "dry-run.ghosts";

  /** Pages that all ghosts may have together: they take heap. */
  public static final String DRY_RUN_MAX_PAGES = PREFIX + "dry-run.max.pages";
  public static final int DRY_RUN_MAX_PAGES_DEFAULT = 10_000_000;

  /** What the keys of one ghost begin with; its name and the rest of a key follow. */
  static final String DRY_RUN_GHOST_PREFIX = PREFIX + "dry-run.ghost.";

  private LocalCacheKeys() {
  }
}
