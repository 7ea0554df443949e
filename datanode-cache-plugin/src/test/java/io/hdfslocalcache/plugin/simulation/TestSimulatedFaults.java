/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import static org.junit.Assert.assertTrue;

import java.util.concurrent.TimeUnit;

import org.junit.Test;

/**
 * Plays lives of a DataNode with a local cache, each drawn from a seed: a configuration, clients,
 * operators, faults of SSDs, rollbacks, kills and power cuts. {@link SimulatedLife} says what has to
 * hold. The SSDs are a file system in memory, the clocks and threads are real: a seed repeats what
 * is done, and not the order in which threads meet.
 *
 * <p>Prints the seed of each life that fails. To play it, or to play for longer:
 *
 * <pre>
 *   mvn -pl datanode-cache-plugin -am verify -DskipHadoopTests -Dtest=TestSimulatedFaults \
 *       -Dsurefire.failIfNoSpecifiedTests=false -Dsimulation.seed=1 -Dsimulation.seconds=600
 * </pre>
 */
public class TestSimulatedFaults {

  private static final long FIRST = Long.getLong("simulation.seed", System.nanoTime());
  private static final long SECONDS = Long.getLong("simulation.seconds", 15);

  @Test
  public void randomLives_holdWhatIsPromised() throws Exception {
    System.out.println("-Dsimulation.seed=" + FIRST + " -Dsimulation.seconds=" + SECONDS);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    SimulatedLife.Totals totals = new SimulatedLife.Totals();
    long seed = FIRST;
    do {
      try {
        new SimulatedLife(seed, totals, null).play();
      } catch (Exception | AssertionError e) {
        throw new AssertionError("-Dsimulation.seed=" + seed, e);
      }
      seed++;
    } while (System.nanoTime() < end);
    System.out.println(seed - FIRST + " lives: " + totals);
    assertTrue("bytes came from pages", totals.bytesFromPages.sum() > 0);
    assertTrue("pages were restored", totals.restored.sum() > 0);
  }
}
