/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import static io.hdfslocalcache.patches.TestingRelease.SENDER;
import static io.hdfslocalcache.patches.TestingRelease.header;
import static io.hdfslocalcache.patches.TestingRelease.patch;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestPatchBuild {

  private static final String[] GOOD =
      {"@@ -2,2 +2,3 @@", " two", "+2.5 // local-cache", " three"};

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private TestingRelease release;

  @Before
  public void setUp() throws Exception {
    release = new TestingRelease(folder.getRoot().toPath());
  }

  @Test
  public void build_goodPatch_changesTheSource() throws Exception {
    release.only("common/good.patch", patch(GOOD));
    assertEquals("", release.build());
    assertEquals("one\ntwo\n2.5 // local-cache\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n",
        release.sender());
  }

  @Test
  public void build_sourceOfTheSeam_isAdded() throws Exception {
    release.write(TestingRelease.SEAM + "org/N.java", "a\nimport b;\n");
    assertEquals("", release.build());
    assertEquals("a\nimport b;\n", Files.readString(release.sources.resolve("org/N.java")));
  }

  @Test
  public void build_patchThatAddsAFile_fails() throws Exception {
    release.only("common/new.patch",
        patch(header(), "--- /dev/null\n+++ b/org/N.java\n@@ -0,0 +1 @@\n+a\n"));
    assertEquals("common/new.patch:11: expected a/ or b/ and <path>.java or webapps/<path>.html,"
        + " found: /dev/null", release.build());
  }

  @Test
  public void build_page_isPatchedBesideTheSources() throws Exception {
    release.only("common/page.patch", patch(header(), pageDiff("+script <!-- local-cache -->")));
    assertEquals("", release.build());
    assertEquals("head\nbody\nscript <!-- local-cache -->\nfoot\n",
        Files.readString(release.sources.resolve(TestingRelease.PAGE)));
    assertEquals(List.of(TestingRelease.PAGE), filesBelow(release.sources));
  }

  @Test
  public void build_unmarkedLineInAPage_fails() throws Exception {
    release.only("common/page.patch", patch(header(), pageDiff("+script")));
    assertTrue(release.build(), release.build().contains("added lines without marker: script"));
  }

  private static String pageDiff(String added) {
    return "--- a/" + TestingRelease.PAGE + "\n+++ b/" + TestingRelease.PAGE
        + "\n@@ -2,2 +2,3 @@\n body\n" + added + "\n foot\n";
  }

  @Test
  public void build_secondPatchOfAFile_seesTheFirst() throws Exception {
    release.write("common/first.patch", patch(GOOD));
    release.write("common/second.patch", patch(
        "@@ -2,2 +2,3 @@", " two", "+2.1 // local-cache", " 2.5 // local-cache"));
    release.series("common/first.patch", "common/second.patch");
    assertEquals("", release.build());
    assertTrue(release.sender().startsWith("one\ntwo\n2.1 // local-cache\n2.5 // local-cache\n"));
  }

  @Test
  public void build_classes_onlyThoseOfTouchedSourcesAreLeftOut() throws Exception {
    Files.createDirectories(release.classes.resolve("org"));
    Files.writeString(release.classes.resolve("org/FromEarlierBuild.class"), "");
    release.only("common/good.patch", patch(GOOD));
    assertEquals("", release.build());
    assertEquals(List.of("META-INF/NOTICE.txt", "META-INF/local-cache.series",
        "org/x/Other.class", "org/x/SenderX.class"), filesBelow(release.classes));
    assertEquals(List.of(SENDER), filesBelow(release.sources));
    assertEquals("common/good.patch\n",
        Files.readString(release.classes.resolve("META-INF/local-cache.series")));
  }

  @Test
  public void build_emptySeries_isTheRelease() throws Exception {
    assertEquals("", release.build());
    assertEquals(List.of(), filesBelow(release.sources));
    assertTrue(Files.exists(release.classes.resolve("org/x/Sender$In$1.class")));
  }

  @Test
  public void build_patchDoesNotApply_fails() throws Exception {
    release.only("common/bad.patch", patch("@@ -2,2 +2,3 @@", " two", "+x // local-cache", " 3"));
    assertEquals("common/bad.patch:13: the hunk does not apply to org/x/Sender.java"
        + " (expected at line 2)", release.build());
  }

  @Test
  public void build_patchedFileIsNotInRelease_fails() throws Exception {
    release.only("common/bad.patch", patch(GOOD).replace("Sender", "Gone"));
    assertEquals("common/bad.patch: org/x/Gone.java is not in hadoop-hdfs-9.9.9-sources.jar",
        release.build());
  }

  @Test
  public void build_sourceOfTheSeamIsInRelease_fails() throws Exception {
    release.write(TestingRelease.SEAM + SENDER, "a\n");
    assertEquals("src/seam/java/org/x/Sender.java: is in hadoop-hdfs-9.9.9-sources.jar",
        release.build());
  }

  @Test
  public void build_unlistedPatch_fails() throws Exception {
    release.write("common/forgotten.patch", patch(GOOD));
    assertEquals("common/forgotten.patch: is in no series", release.build());
    Files.delete(release.patches.resolve("common/forgotten.patch"));
    release.write("hadoop-9.9.8/forgotten.patch", patch(GOOD));
    assertEquals("hadoop-9.9.8/forgotten.patch: is in no series", release.build());
  }

  @Test
  public void build_patchListedForAnotherHadoopOnly_isNotApplied() throws Exception {
    release.write("common/elsewhere.patch", patch(GOOD));
    release.write("series.hadoop-9.9.8", "common/elsewhere.patch\n");
    assertEquals("", release.build());
    assertFalse(Files.exists(release.sources.resolve(SENDER)));
  }

  @Test
  public void build_listedPatchDoesNotExist_fails() throws Exception {
    release.series("common/missing.patch");
    assertEquals("series.hadoop-9.9.9:3: common/missing.patch does not exist", release.build());
  }

  @Test
  public void build_patchListedTwice_fails() throws Exception {
    release.write("common/good.patch", patch(GOOD));
    release.series("common/good.patch", "# again", "common/good.patch");
    assertEquals("series.hadoop-9.9.9:5: common/good.patch is listed twice", release.build());
  }

  @Test
  public void build_patchOfAnotherHadoopListed_fails() throws Exception {
    release.write("hadoop-9.9.8/other.patch", patch(GOOD));
    release.series("hadoop-9.9.8/other.patch");
    assertEquals("series.hadoop-9.9.9:3: hadoop-9.9.8/other.patch is not common/<name>.patch or"
        + " hadoop-9.9.9/<name>.patch", release.build());
  }

  @Test
  public void build_noSeriesForVersion_fails() throws Exception {
    Files.delete(release.patches.resolve("series.hadoop-9.9.9"));
    assertEquals("series.hadoop-9.9.9: there is no series for this Hadoop version",
        release.build());
  }

  @Test
  public void build_otherUpstreamArtifact_failsNamingIt() throws Exception {
    for (String artifact : List.of("hadoop-hdfs-9.9.9-sources.jar", "hadoop-hdfs-9.9.9.jar")) {
      release.damage(artifact);
      String problem = release.build();
      assertTrue(problem, problem.matches(
          artifact + ": SHA-256 is \\p{XDigit}{64}, upstream.lock says \\p{XDigit}{64}"));
    }
  }

  @Test
  public void build_unlockedUpstreamArtifact_fails() throws Exception {
    release.write("upstream.lock", "# nothing\n");
    assertEquals("upstream.lock: has no line for org.apache.hadoop:hadoop-hdfs:9.9.9",
        release.build());
  }

  private static List<String> filesBelow(Path dir) throws Exception {
    try (Stream<Path> walk = Files.walk(dir)) {
      return walk.filter(Files::isRegularFile).map(file -> dir.relativize(file).toString())
          .sorted().toList();
    }
  }
}
