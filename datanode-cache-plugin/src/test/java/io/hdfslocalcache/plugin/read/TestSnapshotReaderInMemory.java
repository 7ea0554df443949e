/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

/** Pages in memory are read as those on the SSD are. */
public class TestSnapshotReaderInMemory extends TestSnapshotReader {

  @Override
  boolean inMemory() {
    return true;
  }
}
