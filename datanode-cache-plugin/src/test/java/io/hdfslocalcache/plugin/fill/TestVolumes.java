/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fill;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import org.junit.After;
import org.junit.Test;

public class TestVolumes {

  private static final int MILLI = 1_000_000;

  private long seconds;
  private final Volume.All volumes = new Volume.All(() -> TimeUnit.SECONDS.toNanos(seconds));

  @After
  public void close() {
    volumes.close();
  }

  private static void read(Volume volume, long nanos) {
    for (int i = 0; i < 500; i++) {
      volume.took(4096, nanos);
    }
  }

  @Test
  public void of_directory_isOneVolume() {
    assertSame(volumes.of("/data/1"), volumes.of("/data/1"));
    assertNotSame(volumes.of("/data/1"), volumes.of("/data/2"));
    assertSame("not known", volumes.of(null), volumes.of(null));
  }

  @Test
  public void waitNanos_volumeThatWasOnlyLookedUp_doesNotCount() {
    Volume read = volumes.of("/data/1");
    volumes.of("/data/2");
    assertEquals(Map.of(), volumes.waitNanos());
    assertEquals("an idle disk", Volume.IDLE_NANOS, volumes.meanWaitNanos());
    read(read, 40 * MILLI);
    assertEquals(Set.of("/data/1"), volumes.waitNanos().keySet());
    assertEquals(read.waitNanos(), (long) volumes.waitNanos().get("/data/1"));
    assertEquals(read.waitNanos(), volumes.meanWaitNanos());
    Volume other = volumes.of("/data/2");
    read(other, 20 * MILLI);
    assertEquals((read.waitNanos() + other.waitNanos()) / 2, volumes.meanWaitNanos());
  }

  /** The DataNode may have dropped it. */
  @Test
  public void waitNanos_volumeWithoutAReadForTenMinutes_doesNotCountUntilItIsRead() {
    Volume gone = volumes.of("/data/1");
    read(gone, 900 * MILLI);
    seconds = 600;
    Volume used = volumes.of("/data/2");
    read(used, 20 * MILLI);
    assertEquals(Set.of("/data/1", "/data/2"), volumes.waitNanos().keySet());
    seconds = 601;
    assertEquals(Set.of("/data/2"), volumes.waitNanos().keySet());
    assertEquals(used.waitNanos(), volumes.meanWaitNanos());
    seconds = 1201;
    assertEquals(Map.of(), volumes.waitNanos());
    assertEquals("an idle disk", Volume.IDLE_NANOS, volumes.meanWaitNanos());
    read(gone, 20 * MILLI);
    assertEquals(Set.of("/data/1"), volumes.waitNanos().keySet());
  }

  /** Nothing would end the threads of one that was made later. */
  @Test
  public void of_afterClose_makesNoneAndAcceptsNoVisit() {
    Volume before = volumes.of("/data/1");
    volumes.close();
    assertSame(before, volumes.of("/data/1"));
    assertSame(volumes.of(null), volumes.of("/data/2"));
    for (String directory : new String[] {"/data/1", "/data/2"}) {
      assertThrows(RejectedExecutionException.class,
          () -> volumes.of(directory).visit(() -> { }));
    }
  }
}
