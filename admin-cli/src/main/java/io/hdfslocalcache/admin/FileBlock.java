/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.admin;

import java.util.List;

import picocli.CommandLine.TypeConversionException;

/**
 * A block of a file, as the NameNode knows it. A block of an erasure-coded file is one of the
 * internal blocks that DataNodes have.
 *
 * @param path the file
 * @param name block pool and block id, such as {@code BP-1-10.0.0.1-2:blk_3}
 * @param length bytes
 * @param isParity whether clients read it only to decode what they cannot read
 * @param dataNodes {@code host:ipc_port} of each that has a replica
 */
record FileBlock(String path, String name, long length, boolean isParity,
    List<String> dataNodes) {
  private static final String PREFIX = "blk_";

  /** @return the name without the block pool: {@code blk_3}. */
  String shortName() {
    return withoutPool(name);
  }

  /** @return the name of a block. */
  static String nameOf(String blockPoolId, long blockId) {
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
