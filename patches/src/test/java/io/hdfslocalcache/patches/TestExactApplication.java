/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import static io.hdfslocalcache.patches.TestingRelease.SENDER_TEXT;
import static io.hdfslocalcache.patches.TestingRelease.header;
import static io.hdfslocalcache.patches.TestingRelease.patch;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.util.concurrent.TimeUnit;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Either every hunk of a patch is applied exactly, or the build fails and says where to look. */
public class TestExactApplication {

  private static final String NAME = "common/p.patch";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private TestingRelease release;

  @Before
  public void setUp() throws Exception {
    release = new TestingRelease(folder.getRoot().toPath());
  }

  @Test
  public void apply_linesHaveShifted_appliesWithOffset() throws Exception {
    release.only(NAME, patch("@@ -7,2 +7,3 @@", " two", "+2.5 // local-cache", " three"));
    assertEquals("", release.build());
    assertTrue(release.sender().startsWith("one\ntwo\n2.5 // local-cache\nthree\n"));
  }

  @Test
  public void apply_shiftedLinesInTwoPlaces_fails() throws Exception {
    release.write("common/a.patch", patch("@@ -9,2 +9,4 @@", " nine",
        "+two // local-cache", "+three // local-cache", " ten"));
    release.write("common/b.patch", patch("@@ -5,1 +5,2 @@", " three // local-cache",
        "+x // local-cache"));
    release.write("common/c.patch", patch("@@ -1,2 +1,4 @@", " one",
        "+two // local-cache", "+three // local-cache", " two"));
    release.series("common/a.patch", "common/c.patch", "common/b.patch");
    assertEquals("common/b.patch:13: the hunk applies to several places of org/x/Sender.java"
        + " (expected at line 5)", release.build());
  }

  @Test
  public void apply_oneContextLineDiffers_failsWithoutFuzz() throws Exception {
    release.only(NAME, patch("@@ -1,6 +1,7 @@", " ONE", " two", " three",
        "+x // local-cache", " four", " five", " six"));
    assertEquals(NAME + ":13: the hunk does not apply to org/x/Sender.java (expected at line 1)",
        release.build());
  }

  @Test
  public void apply_onlyWhiteSpaceDiffers_fails() throws Exception {
    release.only(NAME, patch("@@ -1,2 +1,3 @@", " one ", "+x // local-cache", " two"));
    assertEquals(NAME + ":13: the hunk does not apply to org/x/Sender.java (expected at line 1)",
        release.build());
  }

  @Test
  public void apply_secondHunkFails_namesItsLine() throws Exception {
    release.only(NAME, patch("@@ -1,2 +1,3 @@", " one", "+x // local-cache", " two",
        "@@ -8,2 +9,1 @@", " eight", "-9"));
    assertEquals(NAME + ":17: the hunk does not apply to org/x/Sender.java (expected at line 9)",
        release.build());
  }

  @Test
  public void apply_hunksInWrongOrder_fails() throws Exception {
    release.only(NAME, patch("@@ -8,1 +8,2 @@", " eight", "+x // local-cache",
        "@@ -1,1 +1,2 @@", " one", "+y // local-cache"));
    assertEquals(NAME + ":16: the hunk does not apply to org/x/Sender.java (expected at line 2)",
        release.build());
  }

  @Test
  public void parse_hunkWithoutContext_fails() throws Exception {
    release.only(NAME, patch("@@ -3,0 +4,1 @@", "+x // local-cache"));
    assertEquals(NAME + ":13: a hunk without context could go anywhere", release.build());
  }

  @Test
  public void parse_hunkIsLongerThanItSays_fails() throws Exception {
    release.only(NAME, patch("@@ -1,1 +1,2 @@", " one", "+x // local-cache", "+y // local-cache"));
    assertEquals(NAME + ":16: expected a line that starts with ---", release.build());
  }

  @Test
  public void parse_hunkIsShorterThanItSays_fails() throws Exception {
    release.only(NAME, patch("@@ -1,3 +1,4 @@", " one", "+x // local-cache", " two"));
    assertEquals(NAME + ":17: the hunk has other lines than its @@ says", release.build());
  }

  @Test
  public void parse_deletedFile_fails() throws Exception {
    release.only(NAME, patch(header(),
        "--- a/org/x/Other.java\n+++ /dev/null\n@@ -1 +0,0 @@\n-o\n"));
    assertEquals(NAME + ":12: expected a/ or b/ and <path>.java or webapps/<path>.html, found: /dev/null",
        release.build());
  }

  @Test
  public void parse_renamedFile_fails() throws Exception {
    release.only(NAME, patch(header(),
        "--- a/org/x/Other.java\n+++ b/org/x/New.java\n@@ -1 +1 @@\n-o\n+p // local-cache\n"));
    assertEquals(NAME + ":13: a patch may only change files", release.build());
  }

  @Test
  public void parse_noChange_fails() throws Exception {
    release.only(NAME, patch(header(), ""));
    assertEquals(NAME + ": changes no file", release.build());
  }

  @Test
  public void apply_severalHunks_asGitDoes() throws Exception {
    String text = patch("@@ -1,3 +1,3 @@", " one", "-two", "+2 // local-cache", " three",
        "@@ -7,3 +7,5 @@", " seven", "+// local-cache start - why", "+x", "+// local-cache end",
        "-eight", " nine");
    release.only(NAME, text);
    assertEquals("", release.build());

    TestingRelease other = new TestingRelease(folder.newFolder().toPath());
    other.write(TestingRelease.SENDER, SENDER_TEXT);
    other.write(NAME, text);
    ProcessBuilder git = new ProcessBuilder("git", "apply", NAME)
        .directory(other.patches.toFile()).inheritIO();
    git.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    // Below a repository, git would take paths relative to its root, and skip files silently.
    git.environment().put("GIT_CEILING_DIRECTORIES",
        other.patches.toRealPath().getParent().toString());
    Process process = git.start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue());
    assertEquals(Files.readString(other.patches.resolve(TestingRelease.SENDER)), release.sender());
  }
}
