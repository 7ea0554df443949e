/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import java.nio.file.Path;

import org.apache.hadoop.conf.Configuration;

/**
 * The checked configuration of the trace of reads.
 *
 * @param directory where the files are written
 * @param maxBytes bytes that all files together may take; the oldest are deleted
 */
public record TraceConfig(Path directory, long maxBytes) {

  private static final String BY_DEFAULT = "local-cache-trace";
  private static final long MIN_BYTES = 1 << 20;

  /**
   * Reads the keys.
   *
   * @param logDirectory where the DataNode's logs are
   * @throws BadConfigurationException if a value is out of range
   */
  public static TraceConfig from(Configuration conf, Path logDirectory)
      throws BadConfigurationException {
    Mistakes mistakes = new Mistakes();
    Path directory = mistakes.read(null, () -> LocalCacheConfig.path(
        conf, LocalCacheKeys.TRACE_DIRECTORY, "must be an absolute path, or empty"));
    TraceConfig config = new TraceConfig(directory == null
        ? logDirectory.toAbsolutePath().resolve(BY_DEFAULT) : directory,
        mistakes.read(0L, () -> maxBytes(conf)));
    mistakes.throwIfAny();
    return config;
  }

  private static long maxBytes(Configuration conf) throws BadConfigurationException {
    long bytes = LocalCacheConfig.bytes(conf, LocalCacheKeys.TRACE_MAX_BYTES);
    if (bytes < MIN_BYTES) {
      throw new BadConfigurationException(LocalCacheKeys.TRACE_MAX_BYTES,
          conf.getTrimmed(LocalCacheKeys.TRACE_MAX_BYTES), "must be at least 1048576 bytes (1m)");
    }
    return bytes;
  }
}
