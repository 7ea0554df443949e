/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.java8;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import org.apache.hadoop.conf.Configured;
import org.codehaus.mojo.animal_sniffer.SignatureBuilder;
import org.codehaus.mojo.animal_sniffer.SignatureChecker;
import org.codehaus.mojo.animal_sniffer.logging.Logger;
import org.codehaus.mojo.animal_sniffer.logging.PrintWriterLogger;
import org.junit.Test;

/** The jars that the build has made for Java 8. */
public final class TestJava8Jars {

  private static final int MAJOR_VERSION_AT = 6;
  private static final int JAVA_8 = 52;
  private static final Path LIB = Path.of(System.getProperty("lib"));

  /** Not the JDK's. In Alluxio's jar the libraries ask which Java runs before they call it. */
  private static final Set<String> LIBRARIES = Set.of("io.hdfslocalcache.shaded.*",
      "com.fasterxml.jackson.*", "com.google.*", "org.apache.*", "org.slf4j.*");

  @Test
  public void calls_areOfWhatJava8HasOrOurs() throws Exception {
    ByteArrayOutputStream newer = new ByteArrayOutputStream();
    Logger logger = new PrintWriterLogger(new PrintStream(newer));
    try (InputStream known = new ByteArrayInputStream(java8AndOurs(logger))) {
      SignatureChecker checker = new SignatureChecker(known, LIBRARIES, logger);
      checker.setSourcePath(List.<File>of());
      for (String part : List.of("admin-cli", "datanode-cache-plugin", "rate-limiter")) {
        checker.process(jar(part).toFile());
      }
      assertFalse("not in Java 8: add it to dist/java8/src/main/java, or do without\n" + newer,
          checker.isSignatureBroken());
    }
  }

  /** With ours: what replaces a class of the JDK may lack one of its methods. */
  private static byte[] java8AndOurs(Logger logger) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (InputStream java8 = Files.newInputStream(Path.of(System.getProperty("signature")));
        var jars = Files.list(LIB)) {
      SignatureBuilder builder = new SignatureBuilder(new InputStream[] {java8}, all, logger);
      for (Path jar : jars.toList()) {
        builder.process(jar.toFile());
      }
      // Its methods are inherited.
      builder.process(
          new File(Configured.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
      builder.close();
    }
    return all.toByteArray();
  }

  @Test
  public void classFiles_areOfJava8AtMost() throws Exception {
    List<String> newer = new ArrayList<>();
    try (var jars = Files.list(LIB)) {
      for (Path jar : jars.toList()) {
        addNewer(jar, newer);
      }
    }
    assertEquals(List.of(), newer);
  }

  private static void addNewer(Path jar, List<String> to) throws Exception {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.getName().endsWith(".class")) {
          try (DataInputStream in = new DataInputStream(zip.getInputStream(entry))) {
            in.skipNBytes(MAJOR_VERSION_AT);
            if (in.readUnsignedShort() > JAVA_8) {
              to.add(jar.getFileName() + ": " + entry.getName());
            }
          }
        }
      }
    }
  }

  private static Path jar(String part) throws Exception {
    try (var all = Files.list(LIB)) {
      return all.filter(jar -> jar.getFileName().toString().startsWith(part + "-"))
          .findFirst().orElseThrow();
    }
  }
}
