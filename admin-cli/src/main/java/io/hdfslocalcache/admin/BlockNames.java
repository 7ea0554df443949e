/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import picocli.CommandLine.TypeConversionException;

/** How blocks are named: {@code blk_3}, or {@code BP-1-10.0.0.1-2:blk_3} with the block pool. */
final class BlockNames {
  private static final String PREFIX = "blk_";

  private BlockNames() {}

  static String of(String blockPoolId, long blockId) {
    return blockPoolId + ':' + PREFIX + blockId;
  }

  /** @return {@code blk_3} of {@code BP-1-10.0.0.1-2:blk_3}. */
  static String withoutPool(String name) {
    return name.substring(name.lastIndexOf(':') + 1);
  }

  /**
   * Reads a block id as an operator has it, from fsck or a log: {@code 3}, {@code blk_3} or, with
   * a generation stamp, {@code blk_3_1001}.
   *
   * @return {@code blk_3}
   * @throws TypeConversionException when it is none
   */
  static String parse(String text) {
    String id = text.replaceFirst("^blk_", "").replaceFirst("_[0-9]+$", "");
    try {
      return PREFIX + Long.parseLong(id);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "expected a block id such as blk_1073741825, got: " + text);
    }
  }
}
