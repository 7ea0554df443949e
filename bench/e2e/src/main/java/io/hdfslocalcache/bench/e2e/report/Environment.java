/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import io.hdfslocalcache.bench.e2e.cluster.Build;
import io.hdfslocalcache.harness.Run;

/**
 * Under what conditions something was measured.
 *
 * @param name of the run
 * @param facts in the order in which they are shown
 */
public record Environment(String name, Map<String, String> facts) {

  /** Looks around. */
  public static Environment here(String name, Build build, String command, String started) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("started", started);
    facts.put("command", "`" + command + "`");
    facts.put("commit", commit(build.home()));
    facts.put("machine", lineOf("/proc/cpuinfo", "model name") + ", "
        + Runtime.getRuntime().availableProcessors() + " CPUs, "
        + Long.parseLong(lineOf("/proc/meminfo", "MemTotal").replaceAll("\\D", "")) / 1_000_000
        + " GB of memory");
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("JDK", System.getProperty("java.vm.name") + " "
        + System.getProperty("java.vm.version"));
    facts.put("Hadoop", build.hadoop() + " on " + version(build.java()));
    facts.put("load average at the start", load());
    return new Environment(name, facts);
  }

  private static String commit(Path project) {
    String head = output("git", "-C", project.toString(), "rev-parse", "HEAD");
    String changes = output(
        "git", "-C", project.toString(), "status", "--porcelain", "--untracked-files=no");
    return head + (changes.isEmpty() ? "" : " with uncommitted changes");
  }

  private static String version(String java) {
    return output(java, "-version").lines().findFirst().orElse("unknown");
  }

  /** @return the 1, 5 and 15 minutes' load averages. */
  public static String load() {
    try {
      return Files.readString(Path.of("/proc/loadavg")).replaceAll("(\\S+ \\S+ \\S+).*\\s*", "$1");
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String lineOf(String file, String key) {
    try {
      return Files.readAllLines(Path.of(file)).stream().filter(line -> line.startsWith(key))
          .map(line -> line.replaceFirst("[^:]*:\\s*", "")).findFirst().orElse("0");
    } catch (IOException e) {
      return "0";
    }
  }

  private static String output(String... command) {
    try {
      return Run.output(command);
    } catch (IOException e) {
      return "unknown";
    }
  }
}
