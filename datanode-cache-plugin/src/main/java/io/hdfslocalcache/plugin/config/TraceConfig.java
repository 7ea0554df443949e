/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.trace.TraceSettings;
import org.apache.hadoop.conf.Configuration;

/** The settings of the trace, checked. */
public final class TraceConfig {

  private static final String BY_DEFAULT = "local-cache-trace";
  private static final long MIN_BYTES = 1 << 20;

  private TraceConfig() {
  }

  /** @return whether reads are traced when the DataNode starts. */
  public static boolean enabled(Configuration conf) throws BadConfigurationException {
    return LocalCacheConfig.flag(
        conf, LocalCacheKeys.TRACE_ENABLED, LocalCacheKeys.TRACE_ENABLED_DEFAULT);
  }

  /**
   * Reads the settings.
   *
   * @param logDirectory where the DataNode's logs are
   * @throws BadConfigurationException if one is out of range
   */
  public static TraceSettings from(Configuration conf, Path logDirectory)
      throws BadConfigurationException {
    return new TraceSettings(directory(conf, logDirectory), maxBytes(conf), sample(conf),
        LocalCacheConfig.flag(
            conf, LocalCacheKeys.TRACE_ANONYMOUS, LocalCacheKeys.TRACE_ANONYMOUS_DEFAULT));
  }

  private static Path directory(Configuration conf, Path logDirectory)
      throws BadConfigurationException {
    String value = conf.getTrimmed(LocalCacheKeys.TRACE_DIRECTORY, "");
    if (value.isEmpty()) {
      return logDirectory.toAbsolutePath().resolve(BY_DEFAULT);
    }
    try {
      Path directory = Path.of(value);
      if (directory.isAbsolute()) {
        return directory.normalize();
      }
    } catch (InvalidPathException e) {
      // Said below.
    }
    throw new BadConfigurationException(
        LocalCacheKeys.TRACE_DIRECTORY, value, "must be an absolute path, or empty");
  }

  private static long maxBytes(Configuration conf) throws BadConfigurationException {
    long bytes = LocalCacheConfig.bytes(
        conf, LocalCacheKeys.TRACE_MAX_BYTES, LocalCacheKeys.TRACE_MAX_BYTES_DEFAULT);
    if (bytes < MIN_BYTES) {
      throw new BadConfigurationException(LocalCacheKeys.TRACE_MAX_BYTES,
          conf.getTrimmed(LocalCacheKeys.TRACE_MAX_BYTES), "must be at least 1048576 bytes (1m)");
    }
    return bytes;
  }

  private static double sample(Configuration conf) throws BadConfigurationException {
    String value = conf.getTrimmed(
        LocalCacheKeys.TRACE_SAMPLE, LocalCacheKeys.TRACE_SAMPLE_DEFAULT);
    try {
      double share = Double.parseDouble(value);
      if (share > 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new BadConfigurationException(LocalCacheKeys.TRACE_SAMPLE, value,
        "must be a number above 0, at most 1");
  }
}
