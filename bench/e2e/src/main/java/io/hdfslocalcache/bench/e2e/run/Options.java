/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

import io.hdfslocalcache.bench.e2e.cluster.Build;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line, checked. */
@Command(name = "bench/run", sortOptions = false, description = {
    "Compares the DataNode with the local cache with the released one: both are up side by side on "
        + "the same data, and read from in short slices in turn. Writes data, tables and charts to "
        + "bench/results.", ""})
public final class Options {

  /** The names of all paths, which begin with their stage. */
  static final List<String> PATHS = List.of(
      "hit/seq-1", "hit/seq-4",
      "hit/pread-64k-1", "hit/pread-64k-8", "hit/pread-64k-64",
      "hit/pread-4k-1", "hit/pread-4k-8",
      "bypass/seq-1", "bypass/pread-64k-8", "bypass/pread-4k-1",
      "miss/pread-4k-1",
      "fill/seq-1", "fill/pread-64k-1",
      "local/seq-1", "local/pread-64k-8", "local/pread-4k-1",
      "hdd/ssd-writes", "hdd/cold-hits", "hdd/idle", "hdd/mixed-hot", "hdd/mixed-cold",
      "saturated/zipf-64k-32");

  private static final int MAX_ROUNDS = 100;
  private static final int ROUNDS = 7;
  private static final int SLICES = 3;
  private static final double SECONDS = 0.5;
  private static final double WARM_UP_SECONDS = 4;
  private static final int QUICK_ROUNDS = 2;
  private static final int QUICK_SLICES = 2;
  private static final double QUICK_SECONDS = 0.25;
  private static final double QUICK_WARM_UP_SECONDS = 1;

  @Spec
  private CommandSpec spec;

  @Option(names = "--rounds", paramLabel = "N",
      description = "Number of rounds, each of some slices of each DataNode (default: 7; with "
          + "--quick: 2; of saturated: 1).")
  int rounds;
  private boolean roundsSaid;

  @Option(names = "--quick", description = "A first look in 6 minutes; without saturated.")
  boolean quick;

  @Option(names = "--only", paramLabel = "PATH", split = ",",
      description = "Only these stages (hit) or paths (hit/seq-1); --list shows them.")
  private List<String> only = new ArrayList<>();

  @Option(names = "--seconds", paramLabel = "S",
      description = "Seconds of a slice (default: 0.5; with --quick: 0.25). Those of saturated are "
          + "200 times as long, 10 s at least and 100 s at most.")
  double seconds;

  @Option(names = "--name", paramLabel = "NAME",
      description = "Last part of the name of the results' directory (default: full or quick).")
  private String name;

  @Option(names = "--dir", paramLabel = "DIR",
      description = "Where the clusters' files go (default: bench/e2e/target/work); some 10 GB.")
  private Path directory;

  @Option(names = "--hadoop", paramLabel = "HADOOP_HOME",
      description = "The daemons of this Hadoop, in which the local cache is installed, are "
          + "compared (default: those of the build).")
  private Path hadoopHome;

  @Option(names = "--java", paramLabel = "JAVA_HOME",
      description = "The JVM of its daemons (default: the one that runs the benchmark).")
  private Path javaHome;

  @Option(names = "--seed", paramLabel = "N",
      description = "Of the order of the slices (default: another each time; it is in the results).")
  Long seed;

  @Option(names = "--list", description = "Show the paths and end.")
  boolean list;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this and end.")
  boolean help;

  private Options() {
  }

  /**
   * Reads the command line.
   *
   * @throws ParameterException if something is wrong with it; the message is one line
   */
  public static Options parse(Path defaultDirectory, String... args) {
    Options options = new Options();
    new CommandLine(options).parseArgs(args);
    if (options.directory == null) {
      options.directory = defaultDirectory;
    }
    options.roundsSaid = options.rounds != 0;
    options.rounds = options.rounds == 0 ? options.quick ? QUICK_ROUNDS : ROUNDS : options.rounds;
    options.seconds = options.seconds == 0 ? options.quick ? QUICK_SECONDS : SECONDS
        : options.seconds;
    options.seed = options.seed == null ? new Random().nextInt(1_000_000) : options.seed;
    options.check();
    return options;
  }

  private void check() {
    if (rounds < 1 || rounds > MAX_ROUNDS) {
      throw bad("--rounds", "must be from 1 to " + MAX_ROUNDS + ", not " + rounds);
    }
    if (!(seconds >= 0.1 && seconds <= 60)) {
      throw bad("--seconds", "must be from 0.1 to 60, not " + seconds);
    }
    if (javaHome != null && hadoopHome == null) {
      throw bad("--java", "needs --hadoop");
    }
    if (name != null && !name.matches("[\\w.-]+")) {
      throw bad("--name", "must be letters, digits, dots and dashes, not '" + name + "'");
    }
    for (String path : only) {
      if (PATHS.stream().noneMatch(p -> isMeant(path, p))) {
        throw bad("--only", "there is no '" + path + "'; --list shows what there is");
      }
    }
  }

  /** @return the build, with the daemons that are to be compared. */
  Build daemons(Build build) {
    try {
      return hadoopHome == null ? build : build.withDaemonsOf(hadoopHome.toAbsolutePath(),
          javaHome != null ? javaHome.toAbsolutePath() : Path.of(System.getProperty("java.home")));
    } catch (IOException e) {
      throw bad("--hadoop", e.getMessage());
    }
  }

  /** @return an error of the command line. */
  public ParameterException bad(String option, String what) {
    return new ParameterException(spec.commandLine(), option + ": " + what);
  }

  private static boolean isMeant(String asked, String path) {
    return path.equals(asked) || path.startsWith(asked + "/");
  }

  /** @return whether the path shall be measured. */
  public boolean wants(String path) {
    if (only.isEmpty()) {
      return !quick || !path.startsWith("saturated/");
    }
    return only.stream().anyMatch(asked -> isMeant(asked, path));
  }

  /** @return whether any path of the stage shall be measured. */
  public boolean wantsStage(String stage) {
    return PATHS.stream().filter(p -> p.startsWith(stage + "/")).anyMatch(this::wants);
  }

  /** @return number of rounds as the command line says, or else a stage's own. */
  public int roundsOr(int ofStage) {
    return roundsSaid ? rounds : ofStage;
  }

  /** @return slices of each DataNode and load in a round. */
  public int slices() {
    return quick ? QUICK_SLICES : SLICES;
  }

  /** @return how long each kind of read is warmed up, each time. */
  public double warmUpSeconds() {
    return quick ? QUICK_WARM_UP_SECONDS : WARM_UP_SECONDS;
  }

  /** @return what tells how fine it was measured. */
  public String slicesInWords() {
    return String.format(Locale.ROOT, "%d rounds of %d slices of %s s, seed %d", rounds, slices(),
        seconds, seed);
  }

  public String name() {
    return name != null ? name : quick ? "quick" : "full";
  }

  public Path directory() {
    return directory.toAbsolutePath();
  }

  /** @return how the run can be repeated. */
  public String command(String... args) {
    return "bench/run" + Arrays.stream(args).map(a -> " " + a).collect(Collectors.joining());
  }
}
