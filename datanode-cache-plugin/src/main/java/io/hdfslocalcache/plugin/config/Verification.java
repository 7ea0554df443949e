/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.config;

/** When the data of a page is compared with its checksums before it is sent. */
public enum Verification {
  /** Whatever is sent has been verified just before. */
  ALWAYS,
  /** Only while filling. A client would report damage on the SSD as damage of the replica. */
  NEVER
}
