/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;

import org.junit.Test;

public class TestMarkerRule {

  @Test
  public void check_blockBetweenMarkers_isFine() throws Exception {
    check(" a", "+// local-cache start - why", "+x", "+", "+y", "+} // local-cache end", "+", " b");
  }

  @Test
  public void check_lineWithTrailingMarker_isFine() throws Exception {
    check(" a", "-old", "+new // local-cache", " b");
  }

  @Test
  public void check_hadoopsLinesBetweenAddedMarkers_areFine() throws Exception {
    check("+// local-cache start - why", "+x", " hadoop", "+y", " hadoop", "+// local-cache end");
  }

  @Test
  public void check_unmarkedLine_fails() {
    assertEquals("p:7: added lines without marker: x", problem(" a", "+x", " b"));
  }

  @Test
  public void check_unmarkedRunAfterMarkedOne_fails() {
    assertEquals("p:7: added lines without marker: y",
        problem(" a", "+x // local-cache", " b", "+y"));
    assertEquals("p:7: added lines without marker: y",
        problem("+// local-cache start - why", "+// local-cache end", " b", "+y", " c"));
  }

  @Test
  public void check_startWithoutReason_fails() {
    assertEquals("p:7: added lines without marker: x",
        problem("+// local-cache start", " a", "+x", " b", "+// local-cache end"));
  }

  @Test
  public void check_startWithoutEnd_fails() {
    assertEquals("p:7: the hunk has no '// local-cache end' for: // local-cache start - why",
        problem(" a", "+// local-cache start - why", "+x", " b"));
  }

  @Test
  public void check_markerOnlyInRemovedLine_fails() {
    assertEquals("p:7: added lines without marker: x", problem(" a", "-y // local-cache", "+x"));
  }

  @Test
  public void check_blockOfAnotherPatchFollows_isFine() throws Exception {
    check(" a", "+x // local-cache", " // local-cache start - another patch's");
  }

  @Test
  public void check_import_failsEvenIfMarked() {
    assertEquals("p:7: import added, use the fully qualified name: import a.B; // local-cache",
        problem(" a", "+import a.B; // local-cache", " b"));
  }

  private static void check(String... body) throws PatchException {
    Hunk hunk = new Hunk("p:7", 1, List.of(body));
    MarkerRule.check(new Patch("p", null, List.of(new FilePatch("A.java", List.of(hunk)))));
  }

  private static String problem(String... body) {
    return assertThrows(PatchException.class, () -> check(body)).getMessage();
  }
}
