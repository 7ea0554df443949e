/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.space;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.Test;
import org.slf4j.LoggerFactory;

public class TestSpaceKeeper implements SpaceKeeper.Ssd {

  private static final long PAGE = 10;
  private static final long CONFIGURED = 6400;
  private static final long RESERVED = 100;

  /** The file system's size less the space of others. */
  private long room = 10_000;
  private long used;
  private long capacity = CONFIGURED;
  private long now;
  private long page = PAGE;
  private int unlinked;
  private final SpaceKeeper keeper =
      new SpaceKeeper("test", this, CONFIGURED, RESERVED, () -> now);

  @Override
  public long usableBytes() {
    return Math.max(0, room - used);
  }

  @Override
  public long usedBytes() {
    return used;
  }

  @Override
  public void setCapacity(long bytes) {
    capacity = bytes;
  }

  @Override
  public boolean evictOne() {
    if (used == 0) {
      return false;
    }
    used -= page;
    unlinked++;
    return true;
  }

  private void check() {
    now += TimeUnit.SECONDS.toNanos(1);
    keeper.check(() -> false);
  }

  private void assertState(long expectedCapacity, long expectedUsed) {
    assertEquals("capacity", expectedCapacity, capacity);
    assertEquals("used", expectedUsed, used);
  }

  @Test
  public void check_enoughSpace_changesNothing() {
    used = 3000;
    check();
    assertState(CONFIGURED, 3000);
  }

  @Test
  public void check_othersFillTheDisk_pagesLeaveUntilTheReserveIsFree() {
    used = 5000;
    room = 5000;
    check();
    assertState(4900, 4900);
    assertEquals(RESERVED, usableBytes());
  }

  @Test
  public void check_othersTakeSpace_isLoggedWithWhatIsReserved() {
    used = 4000;
    room = 5000;
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(SpaceKeeper.class));
    check();
    log.stopCapturing();
    assertTrue(log.getOutput(), log.getOutput().contains("pages in test may take 4.8 KB of 6.3 KB: "
        + "other files leave no more, with 100 B reserved"));
  }

  @Test
  public void check_spaceReturns_isTakenBack() {
    used = 1900;
    room = 2000;
    check();
    assertState(1900, 1900);
    room = 4000;
    check();
    assertState(3900, 1900);
    room = 20_000;
    check();
    assertState(CONFIGURED, 1900);
  }

  @Test
  public void check_noSpaceForTheReserve_everythingLeaves() {
    used = 500;
    room = 50;
    for (int i = 0; i < 20; i++) {
      check();
    }
    assertState(0, 0);
  }

  @Test
  public void failed_noSpaceThoughMuchIsFree_someLeaveAndTheRestWaits() {
    used = 3200;
    keeper.failed(new IOException("No space left on device"));
    assertTrue(keeper.isFull());
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(SpaceKeeper.class));
    check();
    log.stopCapturing();
    assertTrue(log.getOutput(), log.getOutput().contains("a write found no space although 6.6 KB "
        + "are free: see its inodes (df -i) and quotas"));
    assertFalse("writes may try again", keeper.isFull());
    assertTrue("not by other files", keeper.isHeld());
    assertState(3150, 3150);
    check();
    assertState(3150, 3150);
    now += TimeUnit.MINUTES.toNanos(1);
    check();
    assertFalse(keeper.isHeld());
    assertState(CONFIGURED, 3150);
  }

  @Test
  public void failed_otherError_isNotAboutSpace() {
    used = 3200;
    keeper.failed(new IOException("Input/output error"));
    assertFalse(keeper.isFull());
    check();
    assertState(CONFIGURED, 3200);
  }

  @Test
  public void setConfigured_more_canBeUsedAtOnce() {
    used = 3000;
    check();
    keeper.setConfigured(9000);
    assertState(9000, 3000);
    check();
    assertState(9000, 3000);
  }

  @Test
  public void setConfigured_moreThanThereIs_isTakenBack() {
    used = 3000;
    keeper.setConfigured(20_000);
    check();
    assertState(9900, 3000);
  }

  @Test
  public void setConfigured_less_pagesLeaveInTheNextRound() {
    used = 5000;
    keeper.setConfigured(1000);
    assertState(5000, 5000);
    check();
    assertState(1000, 1000);
  }

  @Test
  public void setConfigured_lessButMoreThanPagesTake_isInForceAtOnce() {
    used = 500;
    keeper.setConfigured(1000);
    assertState(1000, 500);
  }

  @Test
  public void setConfigured_muchLess_pagesLeaveInSteps() {
    long gigabyte = 1L << 30;
    room = 4000 * gigabyte;
    keeper.setConfigured(2000 * gigabyte);
    keeper.setConfigured(800 * gigabyte);
    unlinked = 0;
    used = 2000 * gigabyte;
    page = gigabyte / 4;
    check();
    assertEquals("2 GB a second, for ten minutes", 8, unlinked);
    assertState(1998 * gigabyte, 1998 * gigabyte);
    for (int i = 1; i < 600; i++) {
      check();
    }
    assertState(800 * gigabyte, 800 * gigabyte);
  }

  /** The previous capacity was in force for a moment only: pages still take more. */
  @Test
  public void setConfigured_againWhilePagesLeave_theyLeaveWithinTenMinutesToo() {
    long gigabyte = 1L << 30;
    room = 4000 * gigabyte;
    keeper.setConfigured(2000 * gigabyte);
    used = 2000 * gigabyte;
    page = gigabyte / 4;
    for (long capacity : new long[] {400, 380, 390}) {
      keeper.setConfigured(capacity * gigabyte);
      check();
    }
    for (int i = 1; i < 601; i++) {
      check();
    }
    assertState(390 * gigabyte, 390 * gigabyte);
  }

  @Test
  public void check_toldToStop_evictsNoMore() {
    used = 3000;
    room = 0;
    keeper.check(() -> true);
    assertEquals(3000, used);
  }
}
