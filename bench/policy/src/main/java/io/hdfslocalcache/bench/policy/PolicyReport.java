/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.policy;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares the default limiter, at several budgets, with every fixed X and Y that an operator might
 * have chosen, on generated hosts and on published traces. Prints tables in Markdown.
 */
public final class PolicyReport {
  private static final String LIMITER = "dfs.datanode.local.cache.rate.limiter.";
  private static final String BUDGET = "dfs.datanode.local.cache.write.budget";
  private static final String CAPACITY = "dfs.datanode.local.cache.capacity";
  private static final int[] THRESHOLDS = {1, 3, 5, 10, 15};
  private static final int[] WINDOWS = {5, 10, 30, 60};
  private static final double[] BUDGETS = {0.25, 0.5, 1, 2, 4};
  private static final double MILLIS_PER_DAY = 86_400_000;

  private record Fixed(int threshold, int window, Simulation.Result result) {
  }

  private final Trace trace;
  private final PrintStream out;
  private final List<Fixed> fixed = new ArrayList<>();
  private int missed;

  private PolicyReport(Trace trace, PrintStream out) {
    this.trace = trace;
    this.out = out;
  }

  /**
   * Runs the comparison.
   *
   * @param args the fraction of the generated hosts (4: a quarter of reads, blocks and capacity),
   *     the file to write, and the traces: A_irm, A_churn, B_irm, B_churn, or files
   */
  public static void main(String[] args) throws IOException {
    if (args.length < 3 || !args[0].matches("[1-9][0-9]{0,3}")) {
      System.err.println("usage: PolicyReport SCALE OUTPUT.md TRACE...");
      System.exit(1);
    }
    Locale.setDefault(Locale.ROOT);
    int scale = Integer.parseInt(args[0]);
    try (PrintStream out = new PrintStream(
        Files.newOutputStream(Path.of(args[1])), true, StandardCharsets.UTF_8)) {
      for (int i = 2; i < args.length; i++) {
        new PolicyReport(Traces.of(args[i], scale), out).run();
      }
    } catch (IllegalArgumentException | IOException e) {
      System.err.println(e.getMessage() == null ? e.toString() : e.getMessage());
      System.exit(1);
    }
  }

  private void run() {
    out.printf("## %s%n%n%,d reads of %,d blocks in %.1f h; capacity C = %,d pages.%n%n",
        trace.name, trace.size(), trace.blocks, trace.durationMillis() / 3.6e6,
        trace.capacityPages);
    runFixed();
    runBudgets();
    printFixed();
    runOthers();
  }

  private void runFixed() {
    for (int threshold : THRESHOLDS) {
      for (int window : WINDOWS) {
        fixed.add(new Fixed(threshold, window, run("bucket-time", 0, threshold, window)));
      }
    }
  }

  private void runBudgets() {
    Clairvoyant clairvoyant = new Clairvoyant(trace);
    out.println("| budget (C/day) | may write (C) | written (C) | most over | offload (%) "
        + "| best fixed (%) | X, Y | its writes (C) | difference | clairvoyant (%) "
        + "| head time (%) | in the worst hour (%) |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (double budget : BUDGETS) {
      Simulation.Result result = run("write-budget", budget, 0, 0);
      double may = trace.capacityPages * (1 + budget * trace.durationMillis() / MILLIS_PER_DAY);
      Fixed best = bestFixed(may);
      double difference = 100 * (result.offload() - best.result.offload());
      missed += difference < 0 || result.overshoot() > 0.01 || head(result) > 100 ? 1 : 0;
      out.printf("| %s | %.2f | %.2f | %+.2f %% | **%.2f** | %.2f | %d, %d | %.2f | %+.2f | %.2f "
          + "| %.1f | %.1f (hour %d) |%n", budget, may / trace.capacityPages, written(result),
          100 * result.overshoot(), 100 * result.offload(), 100 * best.result.offload(),
          best.threshold, best.window, written(best.result), difference,
          100 * clairvoyant.offload(may), head(result),
          100 * result.worstHour(), result.worstHourAt());
    }
    out.printf("%nGoals missed in %d of %d rows.%n%n", missed, BUDGETS.length);
  }

  private Fixed bestFixed(double mayWrite) {
    Fixed best = null;
    for (Fixed one : fixed) {
      if (one.result.written() <= mayWrite
          && (best == null || one.result.offload() > best.result.offload())) {
        best = one;
      }
    }
    if (best == null) {
      // None is within the allowance: the one that writes least is the nearest there is.
      for (Fixed one : fixed) {
        best = best == null || one.result.written() < best.result.written() ? one : best;
      }
    }
    return best;
  }

  private void printFixed() {
    out.println("Fixed X and Y: offload (%) / written (C) / head time (%).\n");
    out.println("| X | Y = 5 | Y = 10 | Y = 30 | Y = 60 |\n|---|---|---|---|---|");
    for (int i = 0; i < fixed.size(); i++) {
      if (i % WINDOWS.length == 0) {
        out.printf("| %d ", fixed.get(i).threshold);
      }
      out.print("| " + text(fixed.get(i).result));
      out.print(i % WINDOWS.length == WINDOWS.length - 1 ? " |\n" : " ");
    }
    out.println();
  }

  private void runOthers() {
    out.println("Others, without a budget: offload (%) / written (C) / head time (%).\n");
    out.println("| limiter | |\n|---|---|");
    out.println("| admit-all | " + text(run("admit-all", 0, 0, 0)) + " |");
    out.println("| distinct-minutes, 3 of 10 | " + text(run("distinct-minutes", 0, 3, 10)) + " |");
    out.println("| second-touch, 1 h | " + text(run("second-touch", 0, 0, 0)) + " |");
    out.println("| reject-first | " + text(run("reject-first", 0, 0, 0)) + " |");
    out.println("| hybrid, 40 in 60 | " + text(run("hybrid", 0, 40, 60)) + " |");
    out.println();
  }

  private Simulation.Result run(String limiter, double budget, int threshold, int window) {
    double budgetPages = limiter.equals("write-budget") ? budget * trace.capacityPages : 1e18;
    Map<String, String> settings = new HashMap<>();
    settings.put(LIMITER + "class", limiter);
    settings.put(CAPACITY, Long.toString(trace.capacityPages * Trace.PAGE));
    if (limiter.equals("write-budget")) {
      settings.put(BUDGET, Long.toString((long) (budgetPages * Trace.PAGE)));
    }
    if (window > 0) {
      settings.put(LIMITER + "threshold", Integer.toString(threshold));
      settings.put(LIMITER + "window", window + "m");
    }
    return new Simulation(trace, settings, budgetPages).run();
  }

  private String text(Simulation.Result result) {
    return String.format(
        "%.2f / %.2f / %.1f", 100 * result.offload(), written(result), head(result));
  }

  private double written(Simulation.Result result) {
    return (double) result.written() / trace.capacityPages;
  }

  private static double head(Simulation.Result result) {
    return 100 * result.headSeconds() / result.stockSeconds();
  }
}
