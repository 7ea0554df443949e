/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;

import io.hdfslocalcache.harness.Run;
import io.hdfslocalcache.harness.disk.IoGroup;
import io.hdfslocalcache.harness.disk.Undo;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command, and the settings of all stages. */
@Command(name = "bench/run", sortOptions = false, description = {
    "Compares the DataNode with the local cache with the stock DataNode: both run side by side on "
        + "the same data, read in turn in short slices. Writes bench/results/DATE-NAME.json.",
    ""})
public final class Bench implements Callable<Integer> {

  /** The names of all paths, which begin with their stage. */
  private static final List<String> PATHS = List.of(
      "hit/seq-1", "hit/seq-4",
      "hit/pread-64k-1", "hit/pread-64k-8", "hit/pread-64k-64",
      "hit/pread-4k-1", "hit/pread-4k-8",
      "bypass/seq-1", "bypass/pread-64k-8", "bypass/pread-4k-1",
      "miss/pread-4k-1",
      "fill/seq-1", "fill/pread-64k-1",
      "ssd/seq-1", "ssd/seq-4", "ssd/pread-64k-8", "ssd/pread-4k-8", "ssd/pread-4k-1",
      "hdd/ssd-writes", "hdd/cold-hits", "hdd/mixed-hot",
      "saturated/zipf-64k-32");

  @Spec
  private CommandSpec spec;

  @Option(names = "--rounds", paramLabel = "N",
      description = "Number of rounds, each of some slices of each DataNode (default: 7; with "
          + "--quick: 2; of saturated: 1).")
  private Integer rounds;

  @Option(names = "--quick", description = "A short run of 10 minutes, without saturated.")
  boolean quick;

  @Option(names = "--only", paramLabel = "PATH", split = ",",
      description = "Only these stages (hit) or paths (hit/seq-1); --list shows them.")
  private List<String> only = List.of();

  @Option(names = "--seconds", paramLabel = "S",
      description = "Seconds of a slice (default: 0.5; with --quick: 0.25). Those of saturated are "
          + "200 times as long, 10 s at least and 100 s at most.")
  private Double seconds;

  @Option(names = "--name", paramLabel = "NAME",
      description = "Last part of the name of the result (default: full or quick).")
  private String name;

  @Option(names = "--dir", paramLabel = "DIR",
      description = "For the clusters' files, about 10 GB (default: bench/e2e/target/work).")
  private Path directory = Hadoop.HOME.resolve("target/work");

  @Option(names = "--hadoop", paramLabel = "HADOOP_HOME",
      description = "Compares the daemons of this Hadoop, which has the local cache "
          + "installed (default: those of the build).")
  private Path hadoopHome;

  @Option(names = "--java", paramLabel = "JAVA_HOME",
      description = "The JVM of its daemons (default: the one that runs the benchmark).")
  private Path javaHome;

  @Option(names = "--before", paramLabel = "DIR",
      description = "A checkout of an earlier version, built by its own bench/run --list: also "
          + "measures each patched DataNode of that version.")
  private Path before;

  @Option(names = "--seed", paramLabel = "N",
      description = "Seed of the slices' order (default: random; it is in the result).")
  long seed = new Random().nextInt(1_000_000);

  @Option(names = "--list", description = "Shows the paths and exits.")
  private boolean list;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Shows this help and exits.")
  private boolean help;

  private String command = "bench/run";
  Hadoop hadoop;
  Results results;

  private Bench() {
  }

  /**
   * Exits with 0; with 1 if a part of the benchmark failed, or nothing could be measured; with 2 if
   * the command line is wrong. Parts that this machine does not allow, such as the emulated HDD
   * without root, are left out and named in the result.
   */
  public static void main(String[] args) {
    System.exit(commandLine(args).execute(args));
  }

  /** @return the parser of the command line. */
  static CommandLine commandLine(String... args) {
    Bench bench = new Bench();
    bench.command = String.join(" ", "bench/run", String.join(" ", args)).trim();
    return commandLine(bench);
  }

  /** @return the parser of a command line, which reports errors in one line. */
  static CommandLine commandLine(Callable<Integer> command) {
    return new CommandLine(command).setParameterExceptionHandler((e, arguments) -> {
      System.err.println("bench: " + e.getMessage());
      return 2;
    }).setExecutionExceptionHandler((e, line, parsed) -> {
      System.err.println("bench: " + e.getMessage());
      return 1;
    });
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    if (list) {
      PATHS.forEach(System.out::println);
      return 0;
    }
    try {
      hadoop = hadoopHome == null ? Hadoop.built(before)
          : Hadoop.installed(hadoopHome.toAbsolutePath(), javaHome != null
              ? javaHome.toAbsolutePath() : Path.of(System.getProperty("java.home")));
    } catch (IOException e) {
      throw bad(hadoopHome == null ? "--before" : "--hadoop", e.getMessage());
    }
    return measure() ? 0 : 1;
  }

  private void check() {
    if (rounds() < 1 || rounds() > 100) {
      throw bad("--rounds", "must be from 1 to 100, not " + rounds);
    }
    if (!(seconds() >= 0.1 && seconds() <= 60)) {
      throw bad("--seconds", "must be from 0.1 to 60, not " + seconds);
    }
    if (javaHome != null && hadoopHome == null) {
      throw bad("--java", "needs --hadoop");
    }
    if (before != null && hadoopHome != null) {
      throw bad("--before", "cannot be used with --hadoop");
    }
    if (name != null && !name.matches("[\\w.-]+")) {
      throw bad("--name", "must be letters, digits, dots and dashes, not '" + name + "'");
    }
    for (String path : only) {
      if (PATHS.stream().noneMatch(each -> isMeant(path, each))) {
        throw bad("--only", "there is no '" + path + "'; see --list");
      }
    }
  }

  private ParameterException bad(String option, String what) {
    return new ParameterException(spec.commandLine(), option + ": " + what);
  }

  private static boolean isMeant(String asked, String path) {
    return path.equals(asked) || path.startsWith(asked + "/");
  }

  /** @return whether everything requested and possible here was measured. */
  private boolean measure() throws IOException, InterruptedException {
    Path file = resultFile(name != null ? name : quick ? "quick" : "full");
    Map<String, Object> environment = environment(command, hadoop);
    environment.put("slices",
        rounds() + " rounds of " + slices() + " slices of " + seconds() + " s");
    environment.put("seed", seed);
    if (before != null) {
      environment.put("before", commit(before));
    }
    results = new Results(environment);
    boolean complete = true;
    try {
      complete &= run("cached", undo -> new CachedStage(this).run());
      complete &= run("ssd", undo -> new SsdStage(this, undo).run());
      complete &= run("hdd", undo -> new HddStage(this, undo).run());
      complete &= run("saturated", undo -> new SaturatedStage(this, undo).run());
    } finally {
      // Measurements before a failure are kept.
      environment.put("load average at the end", load());
      if (!results.isEmpty()) {
        results.write(file, work("report.html"));
        System.out.println("\n" + results.text());
      }
    }
    System.out.println(results.isEmpty() ? "Nothing was measured."
        : "Result: " + file + "; charts: " + work("report.html"));
    return complete && !results.isEmpty();
  }

  /** A part of the benchmark with its own processes. */
  private interface Stage {
    void run(Undo undo) throws IOException, InterruptedException;
  }

  /** Runs a part; the others continue after its failure. @return whether it succeeded. */
  private boolean run(String stage, Stage body) throws InterruptedException {
    boolean needsDisks = !stage.equals("cached");
    if (needsDisks && loads(stage).isEmpty()) {
      return true;
    }
    if (needsDisks && !IoGroup.isPossible()) {
      results.note("Left out, all of " + stage
          + ": root and a cgroup controller for block devices are needed");
      return true;
    }
    // bench/run uses this file.
    try (Undo undo = new Undo(Path.of(
        System.getProperty("bench.undo", work(stage) + ".undo")))) {
      body.run(undo);
      return true;
    } catch (IOException e) {
      results.note("Failed, so that figures of " + stage + " are missing: " + e.getMessage());
      return false;
    }
  }

  /** @return a new file for results, with the date in its name. */
  static Path resultFile(String name) {
    Path all = Hadoop.HOME.resolveSibling("results");
    String begin = LocalDate.now() + "-" + name;
    Path file = all.resolve(begin + ".json");
    for (int i = 2; Files.exists(file); i++) {
      file = all.resolve(begin + "-" + i + ".json");
    }
    return file;
  }

  /** @return machine and programs, for the reader of results. */
  static Map<String, Object> environment(String command, Hadoop hadoop) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("started", LocalDateTime.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("command", command);
    facts.put("commit", commit(Hadoop.HOME));
    facts.put("machine", output("sh", "-c", "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | "
        + "head -n 1") + ", " + Runtime.getRuntime().availableProcessors() + " CPUs, "
        + output("awk", "/MemTotal/ {printf \"%.0f\", $2 / 1e6}", "/proc/meminfo") + " GB");
    facts.put("kernel", output("uname", "-sr"));
    facts.put("JDK", System.getProperty("java.vm.version"));
    facts.put("Hadoop", hadoop.version() + " on "
        + output(hadoop.stock().java(), "-version").lines().findFirst().orElse(""));
    facts.put("load average at the start", load());
    return facts;
  }

  private static String commit(Path checkout) {
    return output("git", "-C", checkout.toString(), "describe", "--always", "--dirty",
        "--abbrev=40", "--exclude=*");
  }

  /** @return the load average. */
  static String load() {
    return output("cat", "/proc/loadavg");
  }

  private static String output(String... words) {
    try {
      return Run.output(words);
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** @return the directory of a stage's clusters. */
  Path work(String stage) {
    return directory.toAbsolutePath().resolve(stage);
  }

  /** @return whether to measure the path. */
  boolean wants(String path) {
    return only.isEmpty() ? !quick || !path.startsWith("saturated/")
        : only.stream().anyMatch(asked -> isMeant(asked, path));
  }

  /** @return the loads of a stage to measure. */
  List<String> loads(String stage) {
    return PATHS.stream().filter(path -> path.startsWith(stage + "/")).filter(this::wants)
        .map(path -> path.substring(stage.length() + 1)).toList();
  }

  /** @return variants, including those of the earlier version if given. */
  List<Variant> compared(List<Variant> variants) {
    return before == null ? variants : Variant.withBefore(variants);
  }

  int rounds() {
    return rounds != null ? rounds : quick ? 2 : 7;
  }

  int saturatedRounds() {
    return rounds != null ? rounds : 1;
  }

  /** @return slices of each DataNode and load in a round. */
  int slices() {
    return quick ? 2 : 3;
  }

  /** @return length of a slice. */
  double seconds() {
    return seconds != null ? seconds : quick ? 0.25 : 0.5;
  }

  int saturatedSeconds() {
    return 10 * (int) Math.max(1, Math.round(Math.min(100, 200 * seconds()) / 10));
  }

  /** @return length of each warm-up of each kind of read. */
  double warmUpSeconds() {
    return quick ? 1 : 4;
  }
}
