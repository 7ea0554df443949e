/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.dist;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The step of the build that writes the lists of the distribution: {@code hadoop/releases}, to
 * recognise a released jar, and {@code SHA256SUMS} of all files.
 */
public final class DistributionLists {

  private static final String SUMS = "SHA256SUMS";
  private static final String PAGE = "datanode.html";
  private static final Pattern JAR = Pattern.compile("hadoop-hdfs-(.+)\\.jar");

  private DistributionLists() {
  }

  /**
   * Writes both lists.
   *
   * @param args the directory of the distribution, and the released jars of all Hadoop lines
   * @throws IOException if a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    Path distribution = Paths.get(args[0]);
    List<String> releases = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      releases.add(release(Paths.get(args[i]), distribution));
    }
    releases.sort(null);
    Files.write(distribution.resolve("hadoop/releases"), releases);
    Files.write(distribution.resolve(SUMS), sums(distribution));
  }

  /**
   * Version, SHA-256 of the released jar, of its contents, and of the jar that replaces it; of the
   * released web page, and of the page that replaces it.
   */
  private static String release(Path released, Path distribution) throws IOException {
    String name = released.getFileName().toString();
    Matcher version = JAR.matcher(name);
    if (!version.matches()) {
      throw new IllegalArgumentException(name + " is not a hadoop-hdfs jar");
    }
    Path patched = distribution.resolve("hadoop").resolve(name);
    return String.join(" ", version.group(1), sum(released), JarContents.sha256(released),
        sum(patched), Sha256.of(releasedPage(released, version.group(1))),
        sum(distribution.resolve("hadoop/webapps-" + version.group(1)).resolve(PAGE)));
  }

  /** Only the tests' jar, beside the other one, has the web pages. */
  private static byte[] releasedPage(Path released, String version) throws IOException {
    Path tests = released.resolveSibling("hadoop-hdfs-" + version + "-tests.jar");
    try (ZipFile zip = new ZipFile(tests.toFile())) {
      ZipEntry entry = zip.getEntry("webapps/datanode/" + PAGE);
      byte[] page = new byte[(int) entry.getSize()];
      try (DataInputStream in = new DataInputStream(zip.getInputStream(entry))) {
        in.readFully(page);
      }
      return page;
    }
  }

  private static List<String> sums(Path distribution) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(distribution)) {
      for (Path file : files.filter(Files::isRegularFile).sorted()
          .collect(Collectors.toList())) {
        Path name = distribution.relativize(file);
        if (!name.toString().equals(SUMS)) {
          lines.add(sum(file) + "  " + name);
        }
      }
    }
    return lines;
  }

  private static String sum(Path file) throws IOException {
    return Sha256.of(Files.readAllBytes(file));
  }
}
