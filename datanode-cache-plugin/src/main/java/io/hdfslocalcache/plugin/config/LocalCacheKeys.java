/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.apache.hadoop.conf.Configuration;

/**
 * Every configuration key of the local cache, each with its default. The rate limiters declare
 * their own keys. {@code conf/local-cache-default.xml} documents the keys for operators; a test
 * compares the two.
 */
public final class LocalCacheKeys {

  /** The prefix of all keys. */
  public static final String PREFIX = "dfs.datanode.local.cache.";

  private static final Map<String, String> DEFAULTS = new LinkedHashMap<>();

  /** Whether the local cache is on when the DataNode starts; the admin command may change it. */
  public static final String ENABLED = key("enabled", "false");

  /** Comma-separated absolute directories, one on each SSD. */
  public static final String DIRECTORIES = key("directories", "");

  /** Whether a directory must be on a file system other than the root directory's. */
  public static final String REQUIRE_MOUNT = key("require.mount", "true");

  /** SSD space that pages may take in each directory: bytes with size suffix, or percent. */
  public static final String CAPACITY = key("capacity", "");

  /** Bytes to be kept free on the file system of each directory, with size suffix. */
  public static final String RESERVED = key("reserved", "1g");

  /** Bytes of block data in a page, with size suffix. */
  public static final String PAGE_SIZE = key("page.size", "1m");

  /** Bytes per second that fills may copy, all SSDs together, with size suffix; 0: no limit. */
  public static final String FILL_RATE = key("fill.rate", "100m");

  /** Bytes of memory for the most-read pages, with size suffix; 0: none. */
  public static final String MEMORY_SIZE = key("memory.size", "1g");

  /** Absolute directory in a tmpfs, for the pages in memory. */
  public static final String MEMORY_DIRECTORY = key("memory.directory", "/dev/shm");

  /** How long a read waits for an SSD before it uses the data volume; a time. */
  public static final String IO_DEADLINE = key("io.deadline", "1s");

  /** Endurance of each SSD: terabytes written, or drive writes per day and years. */
  public static final String ENDURANCE = key("endurance", "");

  /** Whether cached pages survive a restart of the DataNode; if not, they are deleted. */
  public static final String RESTORE = key("restore", "true");

  /** Absolute directory of the trace; empty: {@code local-cache-trace} in the log directory. */
  public static final String TRACE_DIRECTORY = key("trace.directory", "");

  /** Bytes that all files of the trace may take, with size suffix. */
  public static final String TRACE_MAX_BYTES = key("trace.max.bytes", "1g");

  /** A JSON file with rules by path and client, absolute; empty: no rules. */
  public static final String RULES_FILE = key("rules.file", "");

  /** How often to check the rules file, and to list its paths at the NameNode; a time. */
  public static final String RULES_INTERVAL = key("rules.interval", "10m");

  /** Absolute directory for pins and settings that survive restarts; empty: all SSDs. */
  public static final String PINS_DIRECTORY = key("pins.directory", "");

  /** Dry run: whether reads are only counted, and no SSD is written or read. */
  public static final String DRY_RUN = key("dry-run", "false");

  private LocalCacheKeys() {
  }

  private static String key(String name, String byDefault) {
    DEFAULTS.put(PREFIX + name, byDefault);
    return PREFIX + name;
  }

  /** @return the keys with their defaults, empty if none; without the rate limiters' keys. */
  public static Map<String, String> defaults() {
    return Collections.unmodifiableMap(DEFAULTS);
  }

  /** @return the value of a key, or its default. */
  static String value(Configuration conf, String key) {
    return conf.getTrimmed(key, DEFAULTS.get(key));
  }
}
