/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.hdfslocalcache.plugin.health.HealthLimits;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.util.StringUtils;

/**
 * The checked configuration of the local cache. Only the names of directories are checked here;
 * {@link io.hdfslocalcache.plugin.ssd.mount.DirectoryCheck} checks the disks.
 *
 * @param enabled whether the local cache is on at start
 * @param directories one directory on each SSD, absolute and distinct; may be empty if not enabled;
 *     is empty in a dry run, which touches no SSD
 * @param configuredDirectories the same without what commands have added or taken out
 * @param dataDirectories where the DataNode keeps its replicas, and pages must not be
 * @param requireMount whether a directory must be on a file system other than the root directory's
 * @param capacity SSD space for pages in each directory
 * @param reservedBytes bytes to be kept free on the file system of each directory
 * @param pageSize bytes of block data in a page, a multiple of 4096
 * @param fillThreads for each SSD, threads that write to it, and threads that fill in the
 *     background
 * @param fillRate bytes per second that fills by command may copy; 0: no limit
 * @param memoryBytes memory for the pages that are read most; 0: none
 * @param memoryDirectory where that memory is: in a tmpfs
 * @param ioThreads threads for each SSD that read pages not in memory: limits the concurrent reads
 *     of an SSD, and the threads that a hung SSD blocks
 * @param healthLimits limits beyond which an SSD counts as unhealthy
 * @param endurance how much may be written to an SSD in its life
 * @param restore whether cached pages survive a restart of the DataNode
 * @param slowReadNanos a read of a disk that takes longer is counted as slow, as the DataNode
 *     itself calls I/O slow
 */
public record LocalCacheConfig(
    boolean enabled,
    boolean dryRun,
    List<Path> directories,
    List<Path> configuredDirectories,
    List<URI> dataDirectories,
    boolean requireMount,
    Capacity capacity,
    long reservedBytes,
    int pageSize,
    int fillThreads,
    long fillRate,
    long memoryBytes,
    Path memoryDirectory,
    int ioThreads,
    HealthLimits healthLimits,
    Endurance endurance,
    boolean restore,
    long slowReadNanos) {

  private static final int FILL_THREADS = 4;
  /** With less, a page would wait for minutes. */
  private static final long LEAST_FILL_RATE = 1 << 20;

  private static final int IO_THREADS = 32;
  private static final long PROBE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);
  /** Minimum bytes in a page, so that checksums are a small part of the bytes written. */
  public static final int LEAST_PAGE_SIZE = 64 << 10;

  private static final int PAGE_ALIGNMENT = 4096;
  /** A read fills at least an eighth of a page: larger pages would fill bytes that nobody reads. */
  private static final int MOST_PAGE_SIZE = 8 << 20;
  private static final int MIN_PAGES = 16;

  /**
   * Reads the keys.
   *
   * @throws BadConfigurationException if values are out of range; it names all of them
   */
  public static LocalCacheConfig from(Configuration conf) throws BadConfigurationException {
    return from(conf, LEAST_PAGE_SIZE);
  }

  /** The same for tests with many small pages. @param leastPageSize minimum bytes in a page */
  public static LocalCacheConfig from(Configuration conf, int leastPageSize)
      throws BadConfigurationException {
    Mistakes mistakes = new Mistakes();
    boolean dryRun = mistakes.read(false, () -> flag(conf, LocalCacheKeys.DRY_RUN));
    boolean enabled = mistakes.read(false, () -> flag(conf, LocalCacheKeys.ENABLED));
    List<Path> directories =
        mistakes.read(namesOnly(1), () -> directories(conf, enabled, dryRun));
    LocalCacheConfig config = new LocalCacheConfig(
        enabled,
        dryRun,
        directories,
        directories,
        List.of(),
        mistakes.read(true, () -> flag(conf, LocalCacheKeys.REQUIRE_MOUNT)),
        mistakes.read(Capacity.ofBytes(0),
            () -> directories.isEmpty() ? Capacity.ofBytes(0) : capacity(conf)),
        mistakes.read(0L, () -> notNegative(conf, LocalCacheKeys.RESERVED)),
        mistakes.read(LEAST_PAGE_SIZE, () -> pageSize(conf, leastPageSize)),
        FILL_THREADS,
        mistakes.read(0L, () -> fillRate(conf)),
        mistakes.read(0L, () -> dryRun ? 0L : notNegative(conf, LocalCacheKeys.MEMORY_SIZE)),
        mistakes.read(null, () -> memoryDirectory(conf)),
        IO_THREADS,
        new HealthLimits(
            mistakes.read(1L, () -> nanos(conf, LocalCacheKeys.IO_DEADLINE, "10ms", "60s")),
            PROBE_INTERVAL_NANOS),
        mistakes.read(Endurance.UNKNOWN, () -> Endurance.from(conf)),
        mistakes.read(true, () -> flag(conf, LocalCacheKeys.RESTORE)),
        mistakes.read(0L, () -> slowReadNanos(conf)));
    mistakes.throwIfAny();
    return config;
  }

  private static List<Path> directories(Configuration conf, boolean enabled, boolean dryRun)
      throws BadConfigurationException {
    List<Path> named = directories(conf);
    if (enabled && !dryRun && named.isEmpty()) {
      throw new BadConfigurationException(LocalCacheKeys.DIRECTORIES,
          conf.getTrimmed(LocalCacheKeys.DIRECTORIES, ""), "must name at least one directory on an "
          + "SSD when " + LocalCacheKeys.ENABLED + " is true");
    }
    return dryRun ? namesOnly(Math.max(1, named.size())) : named;
  }

  /** @return the same with the directories in use after commands. */
  public LocalCacheConfig withDirectories(List<Path> inUse) {
    return with(inUse, dataDirectories, capacity);
  }

  /** @return the same with the directories where the DataNode keeps its replicas. */
  public LocalCacheConfig outside(List<URI> data) {
    return with(directories, List.copyOf(data), capacity);
  }

  /** @return the same with another capacity. */
  public LocalCacheConfig withCapacity(Capacity now) {
    return with(directories, dataDirectories, now);
  }

  private LocalCacheConfig with(List<Path> inUse, List<URI> data, Capacity now) {
    return new LocalCacheConfig(enabled, dryRun, inUse, configuredDirectories, data, requireMount,
        now, reservedBytes, pageSize, fillThreads, fillRate, memoryBytes, memoryDirectory, ioThreads,
        healthLimits, endurance, restore, slowReadNanos);
  }

  /** A dry run uses only the number of directories, and touches none of them. */
  private static List<Path> namesOnly(int number) {
    return IntStream.rangeClosed(1, number).mapToObj(i -> Path.of("/dry-run-" + i)).toList();
  }

  private static long slowReadNanos(Configuration conf) throws BadConfigurationException {
    String key = DFSConfigKeys.DFS_DATANODE_SLOW_IO_WARNING_THRESHOLD_KEY;
    try {
      return TimeUnit.MILLISECONDS.toNanos(
          conf.getLong(key, DFSConfigKeys.DFS_DATANODE_SLOW_IO_WARNING_THRESHOLD_DEFAULT));
    } catch (NumberFormatException e) {
      throw new BadConfigurationException(
          key, conf.getTrimmed(key), "must be a number of milliseconds");
    }
  }

  static long nanos(Configuration conf, String key, String min, String max)
      throws BadConfigurationException {
    String value = LocalCacheKeys.value(conf, key);
    try {
      long millis = conf.getTimeDurationHelper(key, value, TimeUnit.MILLISECONDS);
      if (millis >= conf.getTimeDurationHelper(key, min, TimeUnit.MILLISECONDS)
          && millis <= conf.getTimeDurationHelper(key, max, TimeUnit.MILLISECONDS)) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new BadConfigurationException(key, value, "must be a time from " + min + " to " + max
        + ", with one of the suffixes ms, s, m, h, d; without one, in milliseconds");
  }

  static boolean flag(Configuration conf, String key) throws BadConfigurationException {
    // Configuration.getBoolean takes every other word for the default: "ture" would be silent.
    String value = LocalCacheKeys.value(conf, key);
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      return value.equalsIgnoreCase("true");
    }
    throw new BadConfigurationException(key, value, "must be true or false");
  }

  /**
   * Reads {@link LocalCacheKeys#DIRECTORIES}, and nothing else.
   *
   * @throws BadConfigurationException if one is no absolute path, or inside or around another
   */
  public static List<Path> directories(Configuration conf) throws BadConfigurationException {
    String key = LocalCacheKeys.DIRECTORIES;
    List<Path> directories = new ArrayList<>();
    // As a collection, it would not tell that a directory is named twice.
    for (String name : conf.getTrimmedStrings(key)) {
      if (name.isEmpty()) {
        continue;
      }
      Path directory = absolute(key, name, "must be absolute paths, separated by commas");
      String trouble = overlap(directory, directories);
      if (trouble != null) {
        throw new BadConfigurationException(key, name, trouble);
      }
      directories.add(directory);
    }
    return List.copyOf(directories);
  }

  /** @return what is wrong if a directory is inside or around another; null if neither. */
  public static String overlap(Path directory, List<Path> others) {
    for (Path other : others) {
      if (directory.startsWith(other) || other.startsWith(directory)) {
        return "must be neither the same as, nor inside or around, another of the directories ("
            + other + ")";
      }
    }
    return null;
  }

  private static Path memoryDirectory(Configuration conf) throws BadConfigurationException {
    String key = LocalCacheKeys.MEMORY_DIRECTORY;
    return absolute(key, LocalCacheKeys.value(conf, key), "must be an absolute path");
  }

  /**
   * Reads a key that may hold a path.
   *
   * @param allowed the allowed values, for an operator
   * @return the path; null if the key is empty
   */
  static Path path(Configuration conf, String key, String allowed)
      throws BadConfigurationException {
    String name = LocalCacheKeys.value(conf, key);
    return name.isEmpty() ? null : absolute(key, name, allowed);
  }

  private static Path absolute(String key, String name, String allowed)
      throws BadConfigurationException {
    try {
      Path path = Path.of(name);
      if (path.isAbsolute()) {
        return path.normalize();
      }
    } catch (InvalidPathException e) {
      // Said below.
    }
    throw new BadConfigurationException(key, name, allowed);
  }

  /**
   * Reads {@link LocalCacheKeys#PAGE_SIZE}, and nothing else. A test's smaller page is taken.
   *
   * @throws BadConfigurationException if it is out of range
   */
  public static int pageSize(Configuration conf) throws BadConfigurationException {
    return pageSize(conf, PAGE_ALIGNMENT);
  }

  private static int pageSize(Configuration conf, int least) throws BadConfigurationException {
    String key = LocalCacheKeys.PAGE_SIZE;
    long size = bytes(conf, key);
    if (size < least || size > MOST_PAGE_SIZE || size % PAGE_ALIGNMENT != 0) {
      throw new BadConfigurationException(key, conf.getTrimmed(key),
          "must be a multiple of 4096 bytes from 65536 (64k) to 8388608 (8m)");
    }
    return (int) size;
  }

  /**
   * Reads {@link LocalCacheKeys#CAPACITY}, and of other keys only what limits it.
   *
   * @throws BadConfigurationException if it is out of range
   */
  public static Capacity capacity(Configuration conf) throws BadConfigurationException {
    String value = LocalCacheKeys.value(conf, LocalCacheKeys.CAPACITY);
    if (value.endsWith("%")) {
      if (flag(conf, LocalCacheKeys.DRY_RUN)) {
        throw new BadConfigurationException(LocalCacheKeys.CAPACITY, value, "must be a number of "
            + "bytes if " + LocalCacheKeys.DRY_RUN + " is true: a dry run has no file system");
      }
      return Capacity.ofPercent(percent(value));
    }
    long capacity = bytes(conf, LocalCacheKeys.CAPACITY);
    int pageSize = pageSize(conf);
    if (capacity < minCapacity(pageSize)) {
      throw new BadConfigurationException(LocalCacheKeys.CAPACITY, value, "must be at least "
          + MIN_PAGES + " pages of " + Sizes.text(pageSize) + ", "
          + Sizes.text(minCapacity(pageSize)));
    }
    return Capacity.ofBytes(capacity);
  }

  private static int percent(String value) throws BadConfigurationException {
    try {
      int percent = Integer.parseInt(value.substring(0, value.length() - 1).trim());
      if (percent >= 1 && percent <= 100) {
        return percent;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new BadConfigurationException(LocalCacheKeys.CAPACITY, value,
        "must be a whole number from 1% to 100%, or a number of bytes");
  }

  /** @return the least useful capacity of a directory in bytes. */
  public static long minCapacity(int pageSize) {
    return (long) MIN_PAGES * pageSize;
  }

  private static long notNegative(Configuration conf, String key)
      throws BadConfigurationException {
    long bytes = bytes(conf, key);
    if (bytes < 0) {
      throw new BadConfigurationException(key, conf.getTrimmed(key), "must not be negative");
    }
    return bytes;
  }

  private static long fillRate(Configuration conf) throws BadConfigurationException {
    long rate = bytes(conf, LocalCacheKeys.FILL_RATE);
    if (rate != 0 && rate < LEAST_FILL_RATE) {
      throw new BadConfigurationException(LocalCacheKeys.FILL_RATE,
          conf.getTrimmed(LocalCacheKeys.FILL_RATE),
          "must be 0 (no limit), or at least 1048576 (1m) bytes per second");
    }
    return rate;
  }

  static long bytes(Configuration conf, String key) throws BadConfigurationException {
    String value = LocalCacheKeys.value(conf, key);
    try {
      return StringUtils.TraditionalBinaryPrefix.string2long(value);
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      throw new BadConfigurationException(key, value,
          "must be a number of bytes, with or without one of the suffixes k, m, g, t"
          + (key.equals(LocalCacheKeys.CAPACITY) ? ", or a percentage such as 80%" : ""));
    }
  }
}
