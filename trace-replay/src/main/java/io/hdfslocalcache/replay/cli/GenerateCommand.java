/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import io.hdfslocalcache.replay.generate.Generator;
import io.hdfslocalcache.replay.generate.Plan;
import io.hdfslocalcache.replay.generate.Plan.Host;
import io.hdfslocalcache.replay.generate.Plan.Kind;
import io.hdfslocalcache.replay.generate.Plan.SizeMix;
import io.hdfslocalcache.replay.text.Checks;
import io.hdfslocalcache.replay.text.Text;
import io.hdfslocalcache.replay.trace.Csv;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.WholeFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes up a trace with the numbers of one of Uber's hosts. */
@Command(name = "generate", description = "Makes up a trace with the numbers of one of the hosts "
    + "in Uber's table: reads, writes, blocks, their size, and the share of an hour's reads on the "
    + "top 10,000 blocks.")
final class GenerateCommand implements Callable<Integer> {

  @Option(names = "--host", paramLabel = "N", defaultValue = "1",
      description = "Which of the five hosts (default: ${DEFAULT-VALUE}).")
  private int host;

  @Option(names = "--kind", paramLabel = "KIND", defaultValue = "churn",
      description = "${COMPLETION-CANDIDATES}: independent reads of blocks whose popularity never "
          + "changes, or sessions of readers on a hot set that drifts (default: ${DEFAULT-VALUE}).")
  private Kind kind;

  @Option(names = "--sizes", paramLabel = "SIZES", defaultValue = "small",
      description = "${COMPLETION-CANDIDATES}: over half of the reads below 10 KB and over 90 %% "
          + "below 1 MB, as Uber publishes, or about 2 MB (default: ${DEFAULT-VALUE}).")
  private SizeMix sizes;

  @Option(names = "--scale", paramLabel = "SHARE", defaultValue = "1",
      description = "Share of the reads and blocks, such as 0.01 (default: all).")
  private double scale;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
      description = "The same seed gives the same trace (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = {"-o", "--out"}, paramLabel = "OUT", required = true,
      description = "The CSV file; compressed if it ends in .gz.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    Plan plan = plan();
    Trace trace = Generator.generate(plan);
    WholeFile.write(out, file -> Csv.write(trace, file));
    System.out.println(Text.count(trace.size(), "access", "accesses") + " in " + out
        + "; to see that it is as it should be: trace stat --top " + plan.host().top());
    return 0;
  }

  private Plan plan() {
    Checks.require(host >= 1 && host <= Host.UBER.size(),
        "--host: must be from 1 to " + Host.UBER.size());
    Checks.require(scale > 0 && scale <= 10, "--scale: must be more than 0, at most 10");
    return new Plan(Host.UBER.get(host - 1).scaled(scale), kind, sizes, seed);
  }
}
