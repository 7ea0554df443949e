/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.scenario;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.hdfslocalcache.faults.FaultCluster;
import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.faults.Ssd;
import io.hdfslocalcache.plugin.config.LocalCacheKeys;
import io.hdfslocalcache.plugin.health.SsdState;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.ssd.SsdChanges;
import io.hdfslocalcache.plugin.ssd.SsdDirectory;
import io.hdfslocalcache.ratelimit.BucketTimeRateLimit;
import io.hdfslocalcache.testing.LocalCacheCluster;
import io.hdfslocalcache.testing.Readers;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSClusterAccess;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** An SSD that hangs while the DataNode starts, soon after, or when it stops. */
public class TestHungSsdAtStart {

  @Rule
  public final Timeout timeout = Timeout.seconds(1200);

  private FaultCluster cluster;
  private LocalCacheCluster mini;
  private Readers.Expected file;

  @Before
  public void start() throws Exception {
    assumeTrue(Requirements.missing(), Requirements.missing().isEmpty());
    cluster = FaultCluster.start(Ssd.Kind.FUSE.open());
    mini = cluster.cluster();
    file = cluster.fileOnSick();
  }

  @After
  public void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** What is changed in the DataNode's configuration when it is restarted. */
  private Consumer<Configuration> settings = conf -> { };

  private Void restart(String... faults) throws Exception {
    DataNodeProperties stopped = mini.mini().stopDataNode(0);
    settings.accept(MiniDFSClusterAccess.conf(stopped));
    cluster.ssd().faults().clear();
    cluster.ssd().dropCaches();
    for (String fault : faults) {
      cluster.ssd().faults().fault(fault);
    }
    mini.startUnrestored(stopped);
    return null;
  }

  private void readAll() throws Exception {
    for (Readers.Expected one : cluster.files()) {
      assertArrayEquals(one.bytes(), mini.read(one.path().toString()));
    }
    assertEquals(0, cluster.corruptReplicas());
  }

  @Test
  public void hangsAtStart_downUntilItAnswers() throws Exception {
    restart("all hang");
    assertEquals("the other SSD only", 1, mini.cache(0).directories().all().size());
    String reason = mini.cache(0).directories().reports().stream()
        .filter(ssd -> ssd.state() == SsdState.DOWN).findFirst().get().reason();
    assertTrue(reason, reason.contains("does not answer for "));
    readAll();
    assertTrue(mini.reads(ReadOutcome.BYPASS_UNHEALTHY) > 0);
    assertTrue("the other SSD serves", mini.reads(ReadOutcome.HIT) > 0);

    cluster.ssd().faults().clear();
    LocalCacheCluster.await("taken in", () -> mini.cache(0).directories().all().size() == 2);
    mini.awaitHit(file.path().toString(), file.bytes());
    readAll();
  }

  /** How many bytes a percentage is, only an SSD that answers can tell. */
  @Test
  public void hangsAtStart_capacityInPercent_nobodyWaitsForItsSize() throws Exception {
    settings = conf -> {
      conf.set(LocalCacheKeys.CAPACITY, "1%");
      conf.unset(BucketTimeRateLimit.THRESHOLD_KEY);
    };
    within(60, () -> restart("all hang"));
    assertEquals("twice that of the other SSD", 2 * capacity(),
        admission("BudgetBytesPerDay"));
    within(10, () -> mini.view(0).set("write.budget", "1g", false));
    within(10, () -> mini.view(0).set("capacity", "2%", false));
    assertEquals("for each", 2L << 30, admission("BudgetBytesPerDay"));

    cluster.ssd().faults().clear();
    LocalCacheCluster.await("taken in", () -> mini.cache(0).directories().all().size() == 2);
    mini.view(0).set("write.budget", "", false);
    assertEquals("of both", capacity(), admission("BudgetBytesPerDay"));
  }

  private long capacity() {
    return mini.cache(0).directories().all().stream().mapToLong(SsdDirectory::capacityBytes).sum();
  }

  private long admission(String name) {
    return mini.cache(0).limiter().metrics().get(name);
  }

  /** On a busy machine it takes a second; while the SSD hangs, it would take forever. */
  private void within(int seconds, Callable<?> task) throws Exception {
    FutureTask<?> future = new FutureTask<>(task);
    new Thread(future).start();
    future.get(seconds, TimeUnit.SECONDS);
  }

  @Test
  public void hangsWhilePagesAreRestored_downUntilItHasProvenItself() throws Exception {
    restart("read hang in LOCAL");
    LocalCacheCluster.await("state", () ->
        cluster.sick().io().health().state() != SsdState.NORMAL);
    readAll();
    assertTrue(mini.cache(0).restore().isInProgress());
    cluster.ssd().faults().clear();
    LocalCacheCluster.await("restored", () -> !mini.cache(0).restore().isInProgress());
    mini.awaitHit(file.path().toString(), file.bytes());
    readAll();
  }

  /** The JVM's shutdown hook saves the order, and must wait for nothing else. */
  @Test
  public void hangsAtExit_isNotWaitedForAndTheOtherKeepsItsOrder() throws Exception {
    Path other = mini.cache(0).directories().all().stream()
        .filter(ssd -> ssd != cluster.sick()).findFirst().orElseThrow().root().resolve("order");
    assertFalse(Files.exists(other));
    cluster.ssd().faults().fault("all hang");
    Thread exit = new Thread(() -> mini.cache(0).keep());
    exit.start();
    LocalCacheCluster.await("the end, while the SSD hangs", () -> !exit.isAlive());
    assertTrue(Files.exists(other));
  }

  /** Nobody would remove them from memory when their replica is deleted. */
  @Test
  public void removedWhileItsWritesHang_itsPagesLeaveMemoryAtOnce() throws Exception {
    mini.readUntilInMemory(file.path().toString());
    ExtendedBlock block = mini.block(file.path().toString());
    CachedBlock entry = mini.cached(0, block);
    assertTrue(mini.cache(0).memory().has(entry, 0));
    cluster.ssd().faults().fault("write,rename hang");
    Thread remove = new Thread(() -> {
      try {
        new SsdChanges(mini.cache(0).directories()).remove(cluster.ssd().directory());
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
    remove.start();
    LocalCacheCluster.await("no page of it in memory",
        () -> !mini.cache(0).memory().has(entry, 0));
    assertTrue("and not because it was closed", remove.isAlive());
    cluster.ssd().faults().clear();
    remove.join();
  }

  @Test
  public void stoppedWhilePagesAreRestoredAndItHangs_startsAgain() throws Exception {
    restart("read hang in LOCAL");
    restart();
    mini.awaitHit(file.path().toString(), file.bytes());
    readAll();
  }
}
