/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.faults.scenario;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.faults.FaultCluster;
import io.hdfslocalcache.faults.PageDamager;
import io.hdfslocalcache.faults.PageDamager.Damage;
import io.hdfslocalcache.faults.Readers;
import io.hdfslocalcache.faults.Requirements;
import io.hdfslocalcache.faults.Ssd;
import io.hdfslocalcache.plugin.admin.OnOff;
import io.hdfslocalcache.plugin.metrics.Event;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Pages that come back from the SSD other than they were written. */
@RunWith(Parameterized.class)
public class TestDamagedPages {

  private final Ssd.Kind kind;
  private FaultCluster cluster;
  private PageDamager damager;

  public TestDamagedPages(Ssd.Kind kind) {
    this.kind = kind;
  }

  @Parameterized.Parameters(name = "{0}")
  public static List<Ssd.Kind> kinds() {
    return Ssd.Kind.USUAL;
  }

  @Rule
  public final Timeout timeout = Timeout.seconds(1200);

  @Before
  public void start() throws Exception {
    assumeTrue(Requirements.missing(), Requirements.missing().isEmpty());
    cluster = FaultCluster.patient(kind.open());
    damager = new PageDamager(cluster.ssd());
  }

  @After
  public void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  public void pageDamagedAfterItWasRead_isDroppedAndFilledAgain() throws Exception {
    String file = cluster.fileOnSick().path().toString();
    byte[] expected = cluster.fileOnSick().bytes();
    for (Damage damage : Damage.values()) {
      assertArrayEquals(expected, cluster.cluster().readUntilCached(file));
      damager.damage(damage, page(file, 3), page(file, 7));
      dropFromMemory();
      long dropped = cluster.cluster().metrics(0).total(Event.DAMAGED_PAGES);
      assertArrayEquals(damage.toString(), expected, cluster.cluster().read(file));
      assertEquals(damage + ", pages dropped", 1,
          cluster.cluster().metrics(0).total(Event.DAMAGED_PAGES) - dropped);
      assertEquals(damage + ", replicas reported", 0, cluster.corruptReplicas());
      cluster.cluster().settle();
      cluster.cluster().readUntilCached(file);
      long hits = cluster.cluster().reads(ReadOutcome.HIT);
      cluster.cluster().read(file);
      assertEquals(damage + ", hits", 1, cluster.cluster().reads(ReadOutcome.HIT) - hits);
    }
  }

  /** What is in memory stays as it was before the damage. */
  private void dropFromMemory() throws IOException {
    OnOff onOff = cluster.cluster().interceptor(0).onOff();
    onOff.setOn(false, "test");
    assertEquals(0, cluster.cluster().cache(0).memory().usedBytes());
    cluster.ssd().dropCaches();
    onOff.setOn(true, "test");
  }

  @Test
  public void pagesDamagedWhileDataNodeIsDown_rightBytesAfterRestart() throws Exception {
    List<Path> pages = new ArrayList<>();
    for (Readers.Expected file : cluster.files()) {
      for (int page = 0; page < 16; page++) {
        Path path = pageOrNull(file.path().toString(), page);
        if (path != null) {
          pages.add(path);
        }
      }
    }
    assertTrue(pages.size() > 20);
    var stopped = cluster.cluster().mini().stopDataNode(0);
    Damage[] damages = Damage.values();
    // Where the local cache keeps nothing over a restart, nothing is there to be damaged.
    pages.removeIf(page -> !Files.exists(page));
    for (int i = 0; i + 1 < pages.size(); i += 2) {
      Damage damage = damages[i / 2 % damages.length];
      damager.damage(damage, pages.get(i), pages.get(i + 1));
    }
    cluster.ssd().dropCaches();
    cluster.cluster().mini().restartDataNode(stopped, true);
    cluster.cluster().mini().waitActive();
    for (int round = 0; round < 2; round++) {
      for (Readers.Expected file : cluster.files()) {
        assertArrayEquals(file.bytes(),
            cluster.cluster().readUntilCached(file.path().toString()));
      }
    }
    assertEquals("replicas reported", 0, cluster.corruptReplicas());
  }

  private Path page(String file, int number) throws Exception {
    Path page = pageOrNull(file, number);
    assertTrue("page " + number + " of " + file, page != null);
    return page;
  }

  private Path pageOrNull(String file, int number) throws Exception {
    return cluster.pageFilesOnSick(cluster.cluster().block(file)).stream()
        .filter(path -> path.endsWith(String.valueOf(number))).findFirst().orElse(null);
  }
}
