/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeNotNull;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.Test;

/**
 * Plays lives of a DataNode with a local cache, each drawn from a seed: a configuration, clients,
 * operators, faults of SSDs, rollbacks, kills and power cuts. {@link SimulatedLife} says what has to
 * hold. The SSDs are a file system in memory.
 *
 * <p>With a JDK of version 24 or later, in {@code -Dsimulation.java}, below {@code /usr/lib/jvm} or
 * installed by {@code dist/install-tools}, lives are played in a {@link World}, whose time and
 * threads follow from the seed: a seed repeats all that happens. In the JVM of the tests, they are
 * played in real time with real threads: a seed repeats what is done, and not the order in which
 * threads meet.
 *
 * <p>Both print their first seed. {@code bin/simulate-faults} plays for longer.
 */
public class TestSimulatedFaults {

  private static final long FIRST = Long.getLong("simulation.seed", System.nanoTime());
  private static final long SECONDS = Long.getLong("simulation.seconds", 50);
  private static final int REAL_TIME_SECONDS = 10;
  /** A life may be switched off from its beginning to its end. */
  private static final int MOST_LIVES = 20;
  private static final int LEAST_VERSION = 24;
  private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"([0-9]+)");

  @Test
  public void randomLivesInAWorld_holdWhatIsPromised_andRepeatExactly() throws Exception {
    Path java = java();
    if (java == null) {
      System.out.println("No JDK of version 24 or later: nothing is simulated that repeats exactly."
          + " dist/install-tools gets one");
    }
    assumeNotNull(java);
    List<String> command = new ArrayList<>(List.of(java.toString(),
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--enable-native-access=ALL-UNNAMED",
        // Identity hash codes, and so the order of sets, are the same each time.
        "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2",
        // Threads that are left over when a life has ended are garbage.
        "-Djdk.trackAllThreads=false", "-Xmx1g",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off", "-Dlog4j.defaultInitOverride=true",
        "-cp", System.getProperty("surefire.test.class.path",
            System.getProperty("java.class.path")),
        Simulation.class.getName(), String.valueOf(FIRST), String.valueOf(SECONDS)));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    System.out.println(output);
    assertEquals(output, 0, process.waitFor());
  }

  /** @return the program of a JDK that is new enough, or null. */
  private static Path java() throws IOException {
    String configured = System.getProperty("simulation.java");
    if (configured != null) {
      return Path.of(configured);
    }
    for (Path all : List.of(Path.of("/usr/lib/jvm"), Path.of("../dist/target/jvms"))) {
      if (Files.isDirectory(all)) {
        try (DirectoryStream<Path> homes = Files.newDirectoryStream(all)) {
          for (Path home : homes) {
            if (version(home) >= LEAST_VERSION && Files.isExecutable(home.resolve("bin/java"))) {
              return home.resolve("bin/java");
            }
          }
        }
      }
    }
    return null;
  }

  private static int version(Path home) throws IOException {
    Path release = home.resolve("release");
    Matcher version = VERSION.matcher(Files.exists(release) ? Files.readString(release) : "");
    return version.find() ? Integer.parseInt(version.group(1)) : 0;
  }

  @Test
  public void randomLivesInRealTime_holdWhatIsPromised() throws Exception {
    System.out.println("-Dsimulation.seed=" + FIRST);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(REAL_TIME_SECONDS);
    SimulatedLife.Totals totals = new SimulatedLife.Totals();
    long seed = FIRST;
    do {
      try {
        new SimulatedLife(seed, SimulatedLife.Size.FULL, totals, null).play();
      } catch (Exception | AssertionError e) {
        throw new AssertionError("-Dsimulation.seed=" + seed, e);
      }
      seed++;
    } while (System.nanoTime() < end
        || totals.bytesFromPages.sum() == 0 && seed - FIRST < MOST_LIVES);
    System.out.println(seed - FIRST + " lives: " + totals);
    assertTrue("bytes came from pages", totals.bytesFromPages.sum() > 0);
  }
}
