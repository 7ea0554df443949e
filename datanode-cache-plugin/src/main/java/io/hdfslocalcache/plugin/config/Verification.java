/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

/** When the data of a page is compared with its checksums before it is sent. */
public enum Verification {
  /** Whatever is sent has been verified just before, in the very copy that is sent. */
  ALWAYS,
  /**
   * What is sent has been verified since it was last read from the SSD, and is proven to have been in
   * memory ever since ({@link io.hdfslocalcache.plugin.store.MemoryProof}). What cannot be proven,
   * and what is small, is verified each time. Leaves the moment between proof and sending open,
   * usually of 2 ms: bytes that leave the OS page cache just then are read from the SSD anew, and sent
   * unverified.
   */
  RESIDENT,
  /** Only while filling. A client would report damage on the SSD as damage of the replica. */
  NEVER
}
