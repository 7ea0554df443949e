/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.shaded;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.Test;

/**
 * Looks into the finished jar: everything in it must be under the one package that is ours, and
 * what it refers to outside must be known.
 */
public class TestShadedJar {
  private static final File JAR = new File(System.getProperty("shaded.jar"));
  private static final String OURS = "io.hdfslocalcache.shaded.";
  private static final long MAX_BYTES = 8_000_000;

  private static final Set<String> RESOURCES = Set.of(
      "META-INF/LICENSE", "META-INF/LICENSE-protobuf", "META-INF/MANIFEST.MF", "META-INF/NOTICE",
      OURS + "prometheus.properties");

  /** It must be the one that Hadoop has, or the log lines would go elsewhere. */
  private static final List<String> FROM_HADOOP = List.of("org.slf4j.");

  /** Not loaded at run time: annotations. */
  private static final List<String> ANNOTATIONS = List.of(
      "com.google.errorprone.annotations.", "com.google.j2objc.annotations.", "javax.annotation.",
      "org.jspecify.annotations.");

  /** Only in code for Alluxio's own clients and servers, which nothing here calls. */
  private static final List<String> NOT_REACHED = List.of(
      OURS + "io.grpc.netty.", OURS + "io.grpc.protobuf.", OURS + "io.grpc.stub.",
      OURS + "io.prometheus.metrics.exporter.", OURS + "io.prometheus.metrics.instrumentation.",
      "com.fasterxml.jackson.", "io.netty.", "io.opentelemetry.", "io.swagger.",
      "jakarta.servlet.", "javax.servlet.", "org.apache.commons.cli.", "org.apache.commons.codec.",
      "org.apache.commons.compress.", "org.apache.commons.logging.", "org.apache.log4j.",
      "org.eclipse.jetty.", "org.reflections.");

  @Test
  public void classes_areAllRelocated() throws IOException {
    assertEquals(Set.of(), entries(name -> name.endsWith(".class")
        && !name.startsWith(OURS.replace('.', '/'))));
  }

  @Test
  public void resources_areOnlyTheKnownOnes() throws IOException {
    assertEquals(RESOURCES, entries(name -> !name.endsWith(".class")));
  }

  @Test
  public void size_isSmall() {
    assertTrue(JAR.length() + " bytes", JAR.length() < MAX_BYTES);
  }

  @Test
  public void references_outOfTheJar_areKnown() {
    Set<String> unknown = references();
    unknown.removeIf(name -> startsWithAny(name, FROM_HADOOP)
        || startsWithAny(name, ANNOTATIONS) || startsWithAny(name, NOT_REACHED));
    assertEquals(Set.of(), unknown);
  }

  private static boolean startsWithAny(String name, List<String> prefixes) {
    return prefixes.stream().anyMatch(name::startsWith);
  }

  private static Set<String> entries(Predicate<String> which) throws IOException {
    try (JarFile jar = new JarFile(JAR)) {
      return jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName)
          .filter(which).collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** The names of the classes that the jar refers to and that neither it nor the JDK has. */
  private static Set<String> references() {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    int exit = ToolProvider.findFirst("jdeps").orElseThrow()
        .run(writer, writer, "--multi-release", "base", "--missing-deps", JAR.getPath());
    assertEquals(out.toString(), 0, exit);
    return out.toString().lines().filter(line -> line.startsWith("   "))
        .map(line -> line.split("->")[1].trim().split(" ")[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
