/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.policy;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

import io.hdfslocalcache.eviction.EvictionPolicy;
import io.hdfslocalcache.eviction.LazyLru;
import io.hdfslocalcache.eviction.Lru;
import io.hdfslocalcache.eviction.S3Fifo;
import io.hdfslocalcache.eviction.Sieve;

/**
 * Compares policies of eviction, with the default admission and a budget of one capacity a day, on
 * SSDs of several sizes. Prints a table in Markdown.
 */
public final class EvictionReport {
  private static final String CAPACITY = "dfs.datanode.local.cache.capacity";
  private static final String LIMITER = "dfs.datanode.local.cache.rate.limiter.class";
  private static final int[] DIVISORS = {1, 4, 16, 64};
  private static final String BUDGET = "dfs.datanode.local.cache.write.budget";
  /** Capacities a day; 0: everything is admitted, whatever is written. */
  private static final int[] BUDGETS = {1, 4, 0};

  private final Trace trace;
  private final PrintStream out;

  private EvictionReport(Trace trace, PrintStream out) {
    this.trace = trace;
    this.out = out;
  }

  /** Runs the comparison. @param args the fraction of the generated hosts, and the traces */
  public static void main(String[] args) {
    if (args.length < 2 || !args[0].matches("[1-9][0-9]{0,3}")) {
      System.err.println("usage: EvictionReport SCALE TRACE...");
      System.exit(1);
    }
    Locale.setDefault(Locale.ROOT);
    System.out.println("| trace | budget | capacity | LRU | lazy LRU | SIEVE | S3-FIFO "
        + "| lazy LRU, victim compared | hits that lock (%) |\n|---|---|---|---|---|---|---|---|---|");
    try {
      for (int i = 1; i < args.length; i++) {
        new EvictionReport(Traces.of(args[i], Integer.parseInt(args[0])), System.out).run();
      }
    } catch (IllegalArgumentException | IOException e) {
      System.err.println(e.getMessage() == null ? e.toString() : e.getMessage());
      System.exit(1);
    }
  }

  private void run() {
    for (int budget : BUDGETS) {
      for (int divisor : DIVISORS) {
        long pages = Math.max(1, trace.capacityPages / divisor);
        LazyLru.Clock clock = new LazyLru.Clock();
        Simulation.Result lazy = run(budget, pages, new LazyLru(clock), false);
        out.printf("| %s | %s | C/%d | %s | %s | %s | %s | %s | %.1f |%n", trace.name,
            budget == 0 ? "admit-all" : budget + "/day", divisor,
            text(run(budget, pages, new Lru(), false), pages), text(lazy, pages),
            text(run(budget, pages, new Sieve(), false), pages),
            text(run(budget, pages, new S3Fifo(), false), pages),
            // Admit-all knows no heat.
            budget == 0 ? "-" : text(run(budget, pages, new LazyLru(), true), pages),
            100.0 * (clock.moves() - lazy.written()) / Math.max(1, lazy.hits()));
      }
    }
  }

  private Simulation.Result run(int budget, long pages, EvictionPolicy eviction,
      boolean compares) {
    Map<String, String> settings = Map.of(
        LIMITER, budget == 0 ? "admit-all" : "write-budget",
        CAPACITY, Long.toString(pages * Trace.PAGE),
        BUDGET, Long.toString(budget * pages * Trace.PAGE));
    return new Simulation(trace, new Simulation.Ssd(pages, eviction, compares), settings,
        budget * pages).run();
  }

  /** Returns offload in percent, and pages written in capacities. */
  private static String text(Simulation.Result result, long pages) {
    return String.format(
        "%.2f / %.2f", 100 * result.offload(), (double) result.written() / pages);
  }
}
