/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.hdfslocalcache.plugin.index.CachedPage;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.Test;
import org.slf4j.LoggerFactory;

/** A tmpfs that cannot be written. */
public class TestMemoryTierFaults extends MemoryTierFixture {

  private interface Fault {
    void mend() throws IOException;
  }

  /** Nothing can be written now: one line in 10 s, and all else goes on. */
  private void assertPausesUntil(Fault fault) throws IOException {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(MemoryTier.class));
    try {
      for (int second = 0; second < 10; second++) {
        for (int page = 100; page < 150; page++) {
          if (tier.isWorthMoving(block, page, PAGE)) {
            assertFalse(enter(page));
            assertFalse("a restore reads no page for nothing", tier.hasRoomFor(block, page));
          }
        }
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
      }
      assertEquals(log.getOutput(), 1, log.getOutput().lines().count());
      assertTrue(log.getOutput(), log.getOutput().contains(directory.toString()));
    } finally {
      log.stopCapturing();
    }
    fault.mend();
    clock.addAndGet(TimeUnit.SECONDS.toNanos(10));
    tier.isWorthMoving(block, 150, PAGE);
    assertTrue(tier.isWorthMoving(block, 150, PAGE));
    assertTrue(enter(150));
    assertTrue(has(150));
  }

  /** A lack of memory anywhere else than in the tmpfs. */
  @Test
  public void enter_pageCannotBeRemembered_givesBackItsMemoryAndFile() throws IOException {
    AtomicBoolean fails = new AtomicBoolean(true);
    block.add(new CachedPage() {
      @Override
      public int number() {
        return 7;
      }

      @Override
      public int parts() {
        return 1;
      }

      @Override
      public void use() {
        // There is no order.
      }

      @Override
      public int hashCode() {
        if (fails.get()) {
          throw new OutOfMemoryError("planted");
        }
        return 1;
      }
    });
    assertThrows(OutOfMemoryError.class, () -> enter(7));
    assertFreed();
    fails.set(false);
    assertTrue(enter(7));
    assertTrue(has(7));
  }

  @Test
  public void enter_directoryRemoved_costsHitsInMemoryOnly() throws IOException {
    enter(0);
    Files.delete(directory);
    assertPausesUntil(() -> Files.createDirectory(directory));
    try (PageBytes found = tier.find(block, 0)) {
      assertRight(0, found);
    }
  }
}
