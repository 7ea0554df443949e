/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

/** Pages in memory may leave at any moment, too. */
public class TestSnapshotReaderRacesInMemory extends TestSnapshotReaderRaces {

  @Override
  boolean inMemory() {
    return true;
  }
}
