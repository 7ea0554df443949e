/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.hadooptests;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Switches the local cache on for the DataNodes of this JVM, and writes what became of the tests
 * and what the local caches counted.
 *
 * <p>System properties: {@value #RESULTS}, the directory for the results (without it nothing
 * happens); {@value #LOCAL_CACHE}, the directory for pages (without it the local cache is not even
 * loaded); and {@value #CONFIGURATION}, the file with the keys of the local cache.
 */
public final class ResultsListener implements TestExecutionListener {

  static final String RESULTS = "hadooptests.results";
  static final String LOCAL_CACHE = "hadooptests.local.cache";
  static final String CONFIGURATION = "hadooptests.configuration";

  private final Map<String, Results.Outcome> outcomes = new ConcurrentHashMap<>();
  private volatile String testClass;

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    if (!isOn()) {
      return;
    }
    // A native library of another release initializes this class only in part, and then breaks
    // DomainSocket: it must be loaded first.
    NativeIO.isAvailable();
    if (isCached()) {
      Configuration.addDefaultResource(System.getProperty(CONFIGURATION, "local-cache-cached.xml"));
    }
  }

  private static boolean isOn() {
    return System.getProperty(RESULTS) != null;
  }

  private static boolean isCached() {
    return System.getProperty(LOCAL_CACHE) != null;
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (testClass == null) {
      testClass = classOf(test).orElse(null);
    }
  }

  private static Optional<String> classOf(TestIdentifier test) {
    return test.getSource().map(source -> source instanceof ClassSource type
        ? type.getClassName() : source instanceof MethodSource method
        ? method.getClassName() : null);
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    executionStarted(test);
    outcomes.put(name(test), new Results.Outcome(Results.Status.SKIPPED, reason));
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Results.Status status = switch (result.getStatus()) {
      case SUCCESSFUL -> Results.Status.PASSED;
      case ABORTED -> Results.Status.SKIPPED;
      case FAILED -> Results.Status.FAILED;
    };
    // Failed containers only: a class whose set-up failed has no tests.
    if (test.isTest() || status != Results.Status.PASSED) {
      outcomes.put(name(test), new Results.Outcome(
          status, result.getThrowable().map(Throwable::toString).orElse("")));
    }
  }

  private static String name(TestIdentifier test) {
    return test.getUniqueId().replaceFirst("^\\[engine:[^]]*]/\\[class:[^]]*]/?", "");
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    if (!isOn() || testClass == null) {
      return;
    }
    Path file = Path.of(System.getProperty(RESULTS), testClass + ".tsv");
    try {
      Files.createDirectories(file.getParent());
      try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
        outcomes.forEach((test, outcome) -> out.println(outcome.line(test)));
        counts().forEach((counter, n) -> out.println("count\t" + counter + "\t" + n));
        out.println(Results.END);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Called only with the local cache on: otherwise the plugin's classes are not there. */
  private static Map<String, Long> counts() {
    return isCached() ? ReadCounts.nonZero() : Map.of();
  }
}
