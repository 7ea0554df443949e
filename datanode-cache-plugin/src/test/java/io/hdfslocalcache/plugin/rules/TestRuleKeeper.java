/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.rules;

import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.hdfslocalcache.plugin.metrics.LocalCacheMetrics;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class TestRuleKeeper {

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  @Rule
  public final Timeout timeout = Timeout.seconds(60);

  private RuleKeeper keeper() throws Exception {
    Path file = folder.newFile("rules.json").toPath();
    Files.writeString(file,
        "{\"rules\": [{\"name\": \"a\", \"path\": \"/a\", \"action\": \"always\"}]}");
    return new RuleKeeper(file, 10, 1000, 1 << 16, new LocalCacheMetrics());
  }

  @Test
  public void round_failsForWantOfMemory_theNextIsMade() throws Exception {
    AtomicInteger listed = new AtomicInteger();
    AtomicInteger assigned = new AtomicInteger();
    CountDownLatch closed = new CountDownLatch(1);
    BlockLister lister = new BlockLister() {
      @Override
      public String namespace() {
        return "ns";
      }

      @Override
      public void list(List<String> paths, Found found) {
        if (listed.incrementAndGet() <= 2) {
          throw new OutOfMemoryError("thrown by a test");
        }
      }

      @Override
      public void close() {
        closed.countDown();
      }
    };
    try (RuleKeeper keeper = keeper()) {
      keeper.start(List.of(lister), () -> {
        if (assigned.incrementAndGet() <= 2) {
          throw new OutOfMemoryError("thrown by a test");
        }
        return false;
      });
      while (!keeper.isLookedUp()) {
        Thread.sleep(1);
      }
    }
    assertTrue(listed + " " + assigned, listed.get() > 2 && assigned.get() > 2);
    assertTrue("with the thread", closed.await(60, TimeUnit.SECONDS));
  }
}
