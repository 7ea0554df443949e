/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.bench.e2e.cluster.Build;
import io.hdfslocalcache.bench.e2e.report.Environment;
import io.hdfslocalcache.bench.e2e.report.Report;
import io.hdfslocalcache.bench.e2e.report.Results;
import io.hdfslocalcache.bench.e2e.run.Setting.Stage;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The command: builds nothing, runs the stages, writes the results. */
public final class Bench {

  private final Build build;
  private final Options options;

  private Bench(Build build, Options options) {
    this.build = build;
    this.options = options;
  }

  /**
   * Ends with 0; or 1 if a part of the benchmark failed, or nothing could be measured; or 2 if the
   * command line is wrong. What this machine does not allow, such as the emulated HDD without root, is
   * left out and named in the results.
   */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  private static int run(String... args) {
    try {
      Build build = Build.fromSystemProperties();
      Options options = Options.parse(build.target().resolve("work"), args);
      if (options.help) {
        CommandLine.usage(options, System.out);
      } else if (options.list) {
        Options.PATHS.forEach(System.out::println);
      } else {
        return new Bench(options.daemons(build), options).measure(options.command(args)) ? 0 : 1;
      }
      return 0;
    } catch (ParameterException e) {
      System.err.println("bench: " + e.getMessage());
      return 2;
    } catch (IOException e) {
      System.err.println("bench: " + e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      return 1;
    }
  }

  /** @return whether all that was asked for and is possible here was measured. */
  private boolean measure(String command) throws IOException, InterruptedException {
    Path directory = resultsDirectory();
    Environment environment = Environment.here(directory.getFileName().toString(), build,
        command, LocalDateTime.now().truncatedTo(ChronoUnit.SECONDS).toString());
    environment.facts().put("slices", options.slicesInWords());
    if (options.wantsStage(SaturatedStage.NAME)) {
      environment.facts().put(SaturatedStage.NAME, SaturatedStage.inWords(options));
    }
    Results results = new Results(directory);
    System.out.println("Results go to " + directory + "; " + options.slicesInWords());
    Setting setting = new Setting(build, options, results);
    boolean complete = true;
    try {
      for (Stage stage : stages(setting)) {
        complete &= run(stage, results);
      }
    } finally {
      // What was measured before something failed is not lost.
      environment.facts().put("load average at the end", Environment.load());
      if (!results.rows().isEmpty()) {
        System.out.println("\n" + Report.write(results, environment, directory));
      }
    }
    System.out.println("Results: " + directory);
    if (results.rows().isEmpty()) {
      System.out.println("Nothing was measured.");
    }
    return complete && !results.rows().isEmpty();
  }

  /** A part that fails leaves the others to be measured. @return whether it did not fail. */
  private boolean run(Stage stage, Results results) throws InterruptedException {
    try {
      stage.run();
      return true;
    } catch (IOException e) {
      String note = "Failed, so that figures of " + stage.name() + " are missing: " + e.getMessage();
      System.out.println(note);
      results.note(note);
      return false;
    }
  }

  private static List<Stage> stages(Setting setting) {
    List<Stage> stages = new ArrayList<>(CachedStages.wanted(setting));
    if (setting.options().wantsStage("hdd")) {
      stages.add(new HddStage(setting));
    }
    if (setting.options().wantsStage(SaturatedStage.NAME)) {
      stages.add(new SaturatedStage(setting));
    }
    return stages;
  }

  private Path resultsDirectory() throws IOException {
    Path all = build.home().resolveSibling("results");
    String name = LocalDate.now() + "-" + options.name();
    Path directory = all.resolve(name);
    for (int i = 2; Files.exists(directory); i++) {
      directory = all.resolve(name + "-" + i);
    }
    return Files.createDirectories(directory);
  }
}
