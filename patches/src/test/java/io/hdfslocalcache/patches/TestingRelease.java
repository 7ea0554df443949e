/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A patches directory and a "released" Hadoop 9.9.9 of two sources and a page, in a temporary directory. What
 * is not changed by a test is valid and builds.
 */
final class TestingRelease {

  static final String VERSION = "9.9.9";
  static final String SENDER = "org/x/Sender.java";

  static final String SEAM = "src/seam/java/";
  static final String PAGE = "webapps/x/page.html";

  /** Ten numbered lines, so that hunks can be made up from line numbers. */
  static final String SENDER_TEXT =
      "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

  final Path patches;
  final Path sources;
  final Path classes;
  private final Path upstream;

  TestingRelease(Path dir) throws Exception {
    patches = Files.createDirectories(dir.resolve("patches"));
    upstream = Files.createDirectories(dir.resolve("upstream"));
    sources = dir.resolve("sources");
    classes = dir.resolve("classes");
    Files.createDirectories(patches.resolve("common"));
    Files.createDirectories(patches.resolve(SEAM));
    zip("hadoop-hdfs-9.9.9-sources.jar", Map.of(SENDER, SENDER_TEXT, "org/x/Other.java", "o\n"));
    zip("hadoop-hdfs-9.9.9-tests.jar", Map.of(PAGE, "head\nbody\nfoot\n"));
    zip("hadoop-hdfs-9.9.9.jar", Map.of("META-INF/NOTICE.txt", "notice",
        "org/x/Sender.class", "s", "org/x/Sender$1.class", "s1", "org/x/Sender$In$1.class", "si",
        "org/x/SenderX.class", "x", "org/x/Other.class", "o"));
    String coordinates = "  org.apache.hadoop:hadoop-hdfs:9.9.9";
    write("upstream.lock", sha256("hadoop-hdfs-9.9.9.jar") + coordinates + "\n"
        + sha256("hadoop-hdfs-9.9.9-sources.jar") + coordinates + ":sources\n"
        + sha256("hadoop-hdfs-9.9.9-tests.jar") + coordinates + ":tests\n");
    series();
  }

  /** Returns all header fields, each with a valid value. */
  static Map<String, String> header() {
    return new TreeMap<>(Map.of("Description", "Ask\n whom it concerns", "Origin", "us",
        "Bug", "none", "Forwarded", "no", "Applies-To", "9.9.8, 9.9.9", "Tested-By", "TestX",
        "Drop-When", "never", "Last-Update", "2026-01-31"));
  }

  /** Returns a patch of the sender with a complete header. */
  static String patch(String... hunkLines) {
    return patch(header(), "--- a/" + SENDER + "\n+++ b/" + SENDER + "\n"
        + String.join("\n", hunkLines) + "\n");
  }

  static String patch(Map<String, String> header, String diff) {
    StringBuilder text = new StringBuilder();
    header.forEach((field, value) -> text.append(field).append(": ").append(value).append('\n'));
    return text + "\n" + diff;
  }

  void write(String name, String text) throws IOException {
    Path file = patches.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  void series(String... lines) throws IOException {
    write("series.hadoop-" + VERSION, "# a comment\n\n" + String.join("\n", lines) + "\n");
  }

  /** Makes the patch the only one of the series. */
  void only(String name, String patch) throws IOException {
    write(name, patch);
    series(name);
  }

  void damage(String artifact) throws IOException {
    Files.writeString(upstream.resolve(artifact), "damaged");
  }

  /** Runs the tool as the build does; returns what it complains of, empty if it succeeds. */
  String build() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = PatchBuild.run(
        List.of(patches.toString(), VERSION, upstream.toString(), sources.toString(),
            classes.toString()),
        new PrintStream(OutputStream.nullOutputStream()), new PrintStream(err));
    String problem = err.toString(StandardCharsets.UTF_8).strip();
    if ((exit == 0) != problem.isEmpty()) {
      throw new AssertionError("exit code " + exit + " with message '" + problem + "'");
    }
    return problem;
  }

  String sender() throws IOException {
    return Files.readString(sources.resolve(SENDER));
  }

  private void zip(String name, Map<String, String> entries) throws IOException {
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(upstream.resolve(name)))) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
        out.closeEntry();
      }
    }
  }

  private String sha256(String artifact) throws Exception {
    byte[] bytes = Files.readAllBytes(upstream.resolve(artifact));
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
