/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

/** When the data of a page is compared with its checksums before it is sent. */
public enum Verification {
  /** Whatever is sent has been verified just before. */
  ALWAYS,
  /**
   * What is sent has been verified since it was last read from the SSD: at the first use after the
   * fill, a restart, or the loss of it in the OS page cache. Where that cannot be known, always.
   */
  RESIDENT,
  /** Only while filling. A client would report damage on the SSD as damage of the replica. */
  NEVER
}
