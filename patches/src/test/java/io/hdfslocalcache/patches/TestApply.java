/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The scripts {@code apply}, for building Hadoop, and {@code prepare}, which the build runs. Either
 * every hunk is applied exactly, or they fail and say where to look.
 */
public class TestApply {

  private static final Path PATCHED = Path.of("target/patched-sources");
  private static final String MAIN = "hadoop-hdfs-project/hadoop-hdfs/src/main";
  private static final String SENDER = "org/x/Sender.java";
  private static final String PAGE = "webapps/x/page.html";
  private static final String TEXT = "one\ntwo\nthree\nfour\ntwo\nthree\nseven\n";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path patches;
  private Path upstream;
  private Path sources;
  private Path classes;

  /** A Hadoop 9.9.9 of two sources and a page. */
  @Before
  public void setUp() throws Exception {
    patches = folder.newFolder("patches").toPath();
    upstream = folder.newFolder("upstream").toPath();
    sources = folder.getRoot().toPath().resolve("target/sources");
    classes = folder.getRoot().toPath().resolve("target/classes");
    for (String script : List.of("apply", "prepare")) {
      Files.copy(Path.of(script), patches.resolve(script));
      assertTrue(patches.resolve(script).toFile().setExecutable(true));
    }
    write("src/seam/java/org/x/Seam.java", "seam\n");
    zip("hadoop-hdfs-9.9.9-sources.jar", Map.of(SENDER, TEXT, "org/x/Other.java", "o\n"));
    zip("hadoop-hdfs-9.9.9-tests.jar", Map.of(PAGE, "head\nbody\nfoot\n"));
    zip("hadoop-hdfs-9.9.9.jar", Map.of("META-INF/NOTICE.txt", "notice", "org/x/Sender.class", "s",
        "org/x/Sender$1.class", "s1", "org/x/Sender$In$1.class", "si", "org/x/SenderX.class", "x",
        "org/x/Other.class", "o"));
    write("upstream.lock", lock("") + lock("-sources") + lock("-tests"));
    series("@@ -1,2 +1,3 @@", " one", "+x // local-cache", " two");
  }

  @Test
  public void apply_sourcesOfTheRelease_areAsTheBuildPatchesThem() throws Exception {
    Path main = folder.newFolder(MAIN.split("/")).toPath();
    String version = System.getProperty("hadoop.version");
    lay("target/upstream/hadoop-hdfs-" + version + "-sources.jar", main.resolve("java"));
    lay("target/upstream/hadoop-hdfs-" + version + "-tests.jar", main);
    // As in a checkout of Hadoop.
    assertEquals("", run(folder.getRoot().toPath(), "git", "init", "-q"));

    String out = run(Path.of("."), "./apply", version, folder.getRoot().toString());

    assertTrue(out, out.endsWith("common/datanode-page.patch\n"));
    Map<String, String> expected = new TreeMap<>();
    files(PATCHED).forEach((path, text) ->
        expected.put(path.startsWith("webapps/") ? path : "java/" + path, text));
    assertEquals(expected, files(main));
  }

  @Test
  public void upstream_sourcesOfTheRelease_takeTheSeriesAndTheLocalCache() throws Exception {
    Path tree = folder.getRoot().toPath().resolve("tree");
    assertEquals("", run(Path.of("."), "upstream/prepare", System.getProperty("hadoop.version"),
        "target/upstream", tree.toString()));

    String log = run(tree, "git", "log", "--format=%s");
    assertTrue(log, log.matches("(?s)The local cache on top\nHDFS-.*\nHDFS-.*, as released\n"));
    String impl = "/java/org/apache/hadoop/hdfs/server/datanode/";
    String sender = Files.readString(tree.resolve(MAIN + impl + "BlockSender.java"));
    assertTrue(sender, sender.contains("replicaSource.beginRead(request, replica)"));
    assertTrue(sender, sender.contains("// local-cache start - measured already"));
  }

  @Test
  public void apply_unknownVersion_changesNothing() throws Exception {
    Path main = folder.newFolder((MAIN + "/java/org").split("/")).toPath();
    assertEquals("there is no series for Hadoop 9.9\nexit 1",
        run(Path.of("."), "./apply", "9.9", folder.getRoot().toString()));
    assertEquals(Map.of(), files(main));
  }

  @Test
  public void prepare_leavesPatchedSourcesAndTheOtherClasses() throws Exception {
    write("common/page.patch", "--- a/" + PAGE + "\n+++ b/" + PAGE
        + "\n@@ -2,2 +2,3 @@\n body\n+script <!-- local-cache -->\n foot\n");
    write("series.hadoop-9.9.9", "# a comment\n\ncommon/p.patch\ncommon/page.patch\n");
    Files.createDirectories(classes.resolve("org"));
    Files.writeString(classes.resolve("org/FromEarlierBuild.class"), "");

    // The build is in a git repository that ignores where it writes.
    assertEquals("", run(folder.getRoot().toPath(), "git", "init", "-q"));
    Files.writeString(folder.getRoot().toPath().resolve(".gitignore"), "target/\n");
    assertEquals("common/p.patch\ncommon/page.patch\n", prepare());

    assertEquals(Map.of(SENDER, TEXT.replaceFirst("\n", "\nx // local-cache\n"), "org/x/Seam.java",
        "seam\n", PAGE, "head\nbody\nscript <!-- local-cache -->\nfoot\n"), files(sources));
    assertEquals(Map.of("META-INF/NOTICE.txt", "notice", "org/x/SenderX.class", "x",
        "org/x/Other.class", "o", "META-INF/local-cache.series",
        "common/p.patch\ncommon/page.patch\n"), files(classes));
  }

  @Test
  public void prepare_secondPatchOfAFile_seesTheFirst() throws Exception {
    write("common/second.patch", patch("@@ -2,2 +2,3 @@", " x // local-cache",
        "+y // local-cache", " two"));
    write("series.hadoop-9.9.9", "common/p.patch\ncommon/second.patch\n");
    assertEquals("common/p.patch\ncommon/second.patch\n", prepare());
    assertTrue(files(sources).get(SENDER).startsWith("one\nx // local-cache\ny // local-cache\n"));
  }

  @Test
  public void prepare_linesHaveShifted_applies() throws Exception {
    series("@@ -6,2 +6,3 @@", " three", "+x // local-cache", " four");
    assertEquals("common/p.patch\n", prepare());
  }

  @Test
  public void prepare_linesInTwoPlaces_fails() throws Exception {
    series("@@ -2,2 +2,3 @@", " two", "+x // local-cache", " three");
    assertRefused("@@ -2,2 +2,3 @@ fits 2 places of " + SENDER);
  }

  @Test
  public void prepare_aLineDiffers_failsWithoutFuzz() throws Exception {
    series("@@ -1,7 +1,8 @@", " ONE", " two", " three", "+x // local-cache", " four", " two", " three",
        " seven");
    assertRefused("error: patch failed: org/x/Sender.java:1");
    series("@@ -1,2 +1,3 @@", " one ", "+x // local-cache", " two");
    assertRefused("error: patch failed: org/x/Sender.java:1");
    series("@@ -1,3 +1,4 @@", " one", "+x // local-cache", " two");
    assertRefused("error: corrupt patch");
    series("@@ -3,0 +4,1 @@", "+x // local-cache");
    assertRefused("@@ -3,0 +4,1 @@ has no context");
  }

  @Test
  public void prepare_fileIsNotInTheRelease_fails() throws Exception {
    write("common/p.patch", patch("@@ -1 +1,2 @@", " o", "+x // local-cache")
        .replace("Sender", "Other") + patch("@@ -1 +1,2 @@", " one", "+x // local-cache")
        .replace("Sender", "Gone").replace("Header: a\n\n", ""));
    assertRefused("error: org/x/Gone.java: No such file");
  }

  @Test
  public void prepare_releaseHasAFileOfTheSeam_fails() throws Exception {
    write("src/seam/java/" + SENDER, "seam\n");
    assertRefused("Hadoop has a file of the seam: " + SENDER);
  }

  @Test
  public void prepare_otherArtifacts_areRefused() throws Exception {
    for (String artifact : List.of("-tests.jar", "-sources.jar", ".jar")) {
      Files.writeString(upstream.resolve("hadoop-hdfs-9.9.9" + artifact), "damaged");
      assertRefused("hadoop-hdfs-9.9.9" + artifact + " is not the one of upstream.lock");
    }
    write("upstream.lock", "# nothing\n");
    assertRefused("upstream.lock has no line for hadoop-hdfs-9.9.9.jar");
  }

  private void assertRefused(String reason) throws Exception {
    String out = prepare();
    assertTrue(out, out.contains(reason));
    assertTrue(out, out.endsWith("exit 1"));
  }

  private String prepare() throws Exception {
    return run(folder.getRoot().toPath(), patches.resolve("prepare").toString(), "9.9.9",
        upstream.toString(), sources.toString(), classes.toString());
  }

  /** What it prints, and "exit" with the code if that is not 0. */
  private String run(Path directory, String... command) throws Exception {
    Path out = folder.newFile().toPath();
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
        .redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    int exit = builder.start().waitFor();
    return Files.readString(out) + (exit == 0 ? "" : "exit " + exit);
  }

  private void series(String... hunk) throws IOException {
    write("common/p.patch", patch(hunk));
    write("series.hadoop-9.9.9", "common/p.patch\n");
  }

  private static String patch(String... hunk) {
    return "Header: a\n\n--- a/" + SENDER + "\n+++ b/" + SENDER + "\n" + String.join("\n", hunk)
        + "\n";
  }

  private void write(String name, String text) throws IOException {
    Files.createDirectories(patches.resolve(name).getParent());
    Files.writeString(patches.resolve(name), text);
  }

  private void zip(String name, Map<String, String> entries) throws IOException {
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(upstream.resolve(name)))) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue().getBytes());
        out.closeEntry();
      }
    }
  }

  private String lock(String classifier) throws Exception {
    String name = "hadoop-hdfs-9.9.9" + classifier + ".jar";
    byte[] digest = MessageDigest.getInstance("SHA-256")
        .digest(Files.readAllBytes(upstream.resolve(name)));
    return HexFormat.of().formatHex(digest) + "  " + name + "\n";
  }

  /** Lays out those of the released files that are patched. */
  private static void lay(String released, Path root) throws IOException {
    try (ZipFile zip = new ZipFile(released)) {
      for (String path : files(PATCHED).keySet()) {
        ZipEntry entry = zip.getEntry(path);
        if (entry != null) {
          Files.createDirectories(root.resolve(path).getParent());
          try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, root.resolve(path));
          }
        }
      }
    }
  }

  private static Map<String, String> files(Path root) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(root.relativize(file).toString(), Files.readString(file));
      }
    }
    return files;
  }
}
