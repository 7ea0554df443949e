/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.trace;

import java.nio.file.Path;

/**
 * How reads are traced.
 *
 * @param directory where the files go
 * @param maxBytes bytes that all files together may take; the oldest are deleted
 * @param sample share of the blocks whose reads are traced, above 0 to 1
 * @param anonymous whether blocks and readers get other names
 */
public record TraceSettings(Path directory, long maxBytes, double sample, boolean anonymous) {

  private static final int FILES = 16;
  private static final long LARGEST = 64L << 20;

  /** @return bytes after which a new file is begun. */
  long fileBytes() {
    return Math.min(LARGEST, maxBytes / FILES);
  }
}
