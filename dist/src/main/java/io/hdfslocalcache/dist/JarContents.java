/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The SHA-256 of a jar's contents. A release of Hadoop is packed more than once, for the archive on
 * its site and for Maven's repositories: the jars differ in times, packers and manifests, but have
 * the same classes.
 */
public final class JarContents {

  private JarContents() {
  }

  /** Prints the digest of one jar. Exits with 1 and a line on standard error if that fails. */
  public static void main(String[] args) {
    if (args.length != 1) {
      System.err.println("usage: JarContents <jar>");
      System.exit(1);
    }
    try {
      System.out.println(sha256(Paths.get(args[0])));
    } catch (IOException e) {
      System.err.println(args[0] + ": " + e.getMessage());
      System.exit(1);
    }
  }

  /**
   * Returns the digest, in hexadecimal, of names, sizes and CRC-32 of all files but those in
   * {@code META-INF}.
   *
   * @throws IOException if it is not a readable jar
   */
  static String sha256(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      String lines = zip.stream()
          .filter(entry -> !entry.isDirectory() && !entry.getName().startsWith("META-INF/"))
          .map(JarContents::line)
          .sorted()
          .collect(Collectors.joining());
      return Sha256.of(lines.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String line(ZipEntry entry) {
    return String.format("%s %d %08x%n", entry.getName(), entry.getSize(), entry.getCrc());
  }
}
