/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

/** When the data of a page is compared with its checksums before it is sent. */
public enum Verification {
  /** Whatever is sent has been verified just before, in the very copy that is sent. */
  ALWAYS,
  /**
   * What is sent has been verified since it was last read from the SSD: at the first use after the
   * fill, a restart, or the loss of it in the OS page cache. Where that cannot be known, always.
   * Leaves a moment open: bytes that leave the OS page cache between the question whether they are
   * there and the sending of them are read from the SSD anew, and sent unverified.
   */
  RESIDENT,
  /** Only while filling. A client would report damage on the SSD as damage of the replica. */
  NEVER
}
