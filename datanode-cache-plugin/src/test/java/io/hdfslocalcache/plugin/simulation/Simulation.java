/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

import io.hdfslocalcache.plugin.simulation.SimulatedLife.Size;

/**
 * Plays lives in a {@link World}, one after the other, until the time is over or one fails. A life
 * that fails is shrunk: the smallest life of the same seed that also fails is shown last.
 *
 * <p>To be run as a program of its own, see {@code bin/simulate-faults}.
 */
public final class Simulation {

  /** So many are played twice, to see whether a seed repeats all that happens. */
  private static final int TWICE = 5;

  private final SimulatedLife.Totals totals = new SimulatedLife.Totals();
  private long steps;
  private int disturbed;

  private Simulation() {
  }

  /** @param args the first seed, and for how many seconds; 0: only this seed */
  public static void main(String[] args) {
    // Held, because a logger forgets its level when it is garbage-collected.
    Logger limiter = Logger.getLogger("io.hdfslocalcache.ratelimit");
    limiter.setLevel(Level.OFF);
    long seed = Long.parseLong(args[0]);
    boolean isWell = new Simulation().play(seed, TimeUnit.SECONDS.toNanos(Long.parseLong(args[1])));
    System.exit(isWell ? 0 : 1);
  }

  private boolean play(long first, long nanos) {
    long begin = System.nanoTime();
    long seed = first;
    Throwable failure;
    do {
      failure = life(seed, seed < first + TWICE);
      seed++;
    } while (failure == null && System.nanoTime() - begin < nanos);
    System.out.println(seed - first + " lives from seed " + first + " in "
        + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) + " s: " + totals + ", " + steps
        + " steps, " + disturbed + " played again, "
        + (failure == null ? "0 violations" : "the last life failed"));
    if (failure != null) {
      System.out.println("FAILED: bin/simulate-faults --seed " + (seed - 1));
      failure.printStackTrace(System.out);
      shrink(seed - 1);
    }
    return failure == null;
  }

  private Throwable life(long seed, boolean twice) {
    World world = new World(seed);
    Throwable failure = failure(seed, Size.FULL, world);
    if (failure != null && world.isDisturbed()) {
      // A thread of the JVM, such as the collector's, may have held the monitor: tries again.
      disturbed++;
      world = new World(seed);
      failure = failure(seed, Size.FULL, world);
    }
    steps += world.steps();
    if (failure == null && twice) {
      World again = new World(seed);
      failure = failure(seed, Size.FULL, again);
      if (failure == null && again.trace() != world.trace()) {
        failure = new AssertionError("seed " + seed + " went another way when it was repeated");
      }
    }
    return failure;
  }

  private Throwable failure(long seed, Size size, World world) {
    try {
      world.run(() -> {
        new SimulatedLife(seed, size, totals, world).play();
        return null;
      });
      return null;
    } catch (Exception | AssertionError e) {
      return e;
    }
  }

  private void shrink(long seed) {
    Size smallest = Size.FULL;
    Throwable shown = null;
    boolean isSmaller = true;
    while (isSmaller) {
      isSmaller = false;
      for (Size size : smaller(smallest)) {
        Throwable failure = size.equals(smallest) ? null : failure(seed, size, new World(seed));
        if (failure != null) {
          smallest = size;
          shown = failure;
          isSmaller = true;
          break;
        }
      }
    }
    if (shown != null) {
      System.out.println("The same seed fails with " + smallest + ":");
      shown.printStackTrace(System.out);
    }
  }

  private static List<Size> smaller(Size of) {
    return List.of(
        new Size(Math.max(1, of.runs() - 1), of.reads(), of.writes(), of.orders(), of.faults()),
        new Size(of.runs(), of.reads() / 2, of.writes(), of.orders(), of.faults()),
        new Size(of.runs(), of.reads(), of.writes() / 2, of.orders(), of.faults()),
        new Size(of.runs(), of.reads(), of.writes(), of.orders() / 2, of.faults()),
        new Size(of.runs(), of.reads(), of.writes(), of.orders(), of.faults() / 2));
  }
}
