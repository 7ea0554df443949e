/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** Numbers of bytes for people: the same in commands, logs and messages. */
public final class Sizes {

  private Sizes() {
  }

  /** @return such as {@code 1.2 GB}; a KB has 1024 bytes. */
  public static String text(long bytes) {
    return TraditionalBinaryPrefix.long2String(bytes, "B", 1);
  }
}
