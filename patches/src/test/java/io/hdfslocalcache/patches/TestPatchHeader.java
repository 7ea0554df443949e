/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.patches.Patch.PatchHeader;
import org.junit.Test;

public class TestPatchHeader {

  @Test
  public void parse_continuationLines_belongToTheField() throws Exception {
    PatchHeader header = PatchHeader.parse("p", complete());
    assertEquals("Ask whom it concerns", header.get("Description"));
    assertEquals("no", header.get("Forwarded"));
  }

  @Test
  public void parse_missingField_fails() {
    for (String field : PatchHeader.REQUIRED) {
      List<String> lines = complete();
      lines.removeIf(line -> line.startsWith(field + ":") || line.startsWith(" "));
      assertEquals("p: header field " + field + " is missing or empty", problem(lines));
    }
  }

  @Test
  public void parse_emptyField_fails() {
    for (String field : PatchHeader.REQUIRED) {
      List<String> lines = complete();
      lines.removeIf(line -> line.startsWith(" "));
      lines.replaceAll(line -> line.startsWith(field + ":") ? field + ": " : line);
      assertEquals("p: header field " + field + " is missing or empty", problem(lines));
    }
  }

  @Test
  public void parse_forwardedIsNoUrl_fails() {
    assertEquals("p: header field Forwarded must be no, not-needed or a URL",
        problem(with("Forwarded: maybe")));
  }

  @Test
  public void parse_forwardedIsUrl_isFine() throws Exception {
    assertEquals("https://example.org/1",
        PatchHeader.parse("p", with("Forwarded: https://example.org/1")).get("Forwarded"));
  }

  @Test
  public void parse_lastUpdateIsNoDate_fails() {
    assertEquals("p: header field Last-Update must be a date YYYY-MM-DD",
        problem(with("Last-Update: 2026-02-30")));
  }

  @Test
  public void parse_lineThatIsNoField_failsNamingTheLine() {
    List<String> lines = complete();
    lines.add("for no reason");
    assertEquals("p:10: expected a new header field or a line that starts with a space, found: for"
        + " no reason", problem(lines));
  }

  @Test
  public void checkAppliesTo_versionIsNotNamed_fails() throws Exception {
    Patch patch = new Patch("p", PatchHeader.parse("p", with("Applies-To: 3.4.3 3.5.0")),
        List.of());
    patch.checkAppliesTo("3.5.0");
    assertEquals("p: is in the series of Hadoop 3.5, which its header field Applies-To does not"
        + " name", assertThrows(PatchException.class, () -> patch.checkAppliesTo("3.5"))
        .getMessage());
  }

  private static List<String> with(String line) {
    List<String> lines = complete();
    String field = line.substring(0, line.indexOf(':') + 1);
    lines.replaceAll(old -> old.startsWith(field) ? line : old);
    return lines;
  }

  private static List<String> complete() {
    return new ArrayList<>(
        List.of(TestingRelease.patch(TestingRelease.header(), "").strip().split("\n")));
  }

  private static String problem(List<String> lines) {
    return assertThrows(PatchException.class, () -> PatchHeader.parse("p", lines)).getMessage();
  }
}
