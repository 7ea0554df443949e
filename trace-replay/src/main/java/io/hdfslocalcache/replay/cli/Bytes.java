/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import io.hdfslocalcache.replay.text.Text;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes with Hadoop's suffixes. */
final class Bytes implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    try {
      long bytes = Text.parseBytes(value);
      if (bytes > 0) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // The same complaint.
    }
    throw new TypeConversionException("'" + value + "' is not a size such as 4t");
  }
}
