/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** A volume is told apart by how long its reads wait: memory, an idle disk, a busy disk. */
public class TestVolumeWaits {

  private static final long MILLI = 1_000_000;

  private final Volume volume = new Volume(System::nanoTime);

  private void read(int times, long bytes, long nanos) {
    for (int i = 0; i < times; i++) {
      volume.took(bytes, nanos);
    }
  }

  private void assertIs(boolean isMemory, boolean isBusy) {
    assertEquals(volume.waitNanos() + " ns", isMemory, volume.isMemory());
    assertEquals(volume.waitNanos() + " ns", isBusy, volume.isBusy());
  }

  @Test
  public void read_nothingYet_isTakenForAnIdleDisk() {
    assertIs(false, false);
    assertEquals(0, volume.busyNanos(4096));
  }

  @Test
  public void read_smallAndLargeReadsFromMemory_isMemory() {
    read(100, 4096, 15_000);
    assertIs(true, false);
    read(100, 128 << 20, 60 * MILLI);
    assertIs(true, false);
  }

  @Test
  public void read_oneReaderOfADisk_isNeither() {
    read(200, 64 << 10, 9 * MILLI);
    assertIs(false, false);
    read(200, 128 << 20, 800 * MILLI);
    assertIs(false, false);
  }

  @Test
  public void read_diskReadsAheadOfASequentialReader_isNotMemory() {
    for (int i = 0; i < 100; i++) {
      read(1, 256 << 10, 13 * MILLI);
      read(7, 256 << 10, 50_000);
      assertIs(false, false);
    }
  }

  @Test
  public void read_manyWaitForEachOther_isBusyUntilTheyDoNot() {
    read(32, 128 << 10, 200 * MILLI);
    assertIs(false, true);
    read(100, 128 << 10, 9 * MILLI);
    assertIs(false, false);
  }

  @Test
  public void read_memoryNoLongerHasIt_isADiskAtOnce() {
    read(1000, 64 << 10, 30_000);
    read(1, 64 << 10, 9 * MILLI);
    assertIs(false, false);
  }

  @Test
  public void read_busyDiskFindsHalfInMemory_isStillBusy() {
    for (int i = 0; i < 500; i++) {
      read(1, 64 << 10, i % 2 == 0 ? 200 * MILLI : 30_000);
    }
    assertIs(false, true);
  }
}
