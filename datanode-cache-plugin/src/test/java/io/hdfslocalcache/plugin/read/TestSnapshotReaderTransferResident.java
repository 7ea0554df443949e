/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import io.hdfslocalcache.plugin.config.Verification;

/** Verifying less often changes nothing as long as no bit flips. */
public class TestSnapshotReaderTransferResident extends TestSnapshotReaderTransfer {

  @Override
  Verification verification() {
    return Verification.RESIDENT;
  }
}
