/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.util.ArrayList;
import java.util.List;

/**
 * In Hadoop's files all additions are marked, so that a reader of the patched file sees what is
 * not Hadoop's. Every run of added lines lies between {@code // local-cache start - why} and {@code
 * // local-cache end}, or has a line with {@code // local-cache}; in a web page, with {@code <!--
 * local-cache}. A start that is added has its end in the same hunk. No imports are added: their neighbours differ in every Hadoop release.
 */
final class MarkerRule {

  private static final String MARK = "// local-cache";
  private static final String PAGE_MARK = "<!-- local-cache";
  private static final String START = MARK + " start - ";
  private static final String END = MARK + " end";

  private MarkerRule() {
  }

  /**
   * @throws PatchException naming patch, hunk and line of the first offence
   */
  static void check(Patch patch) throws PatchException {
    for (FilePatch file : patch.files()) {
      for (Hunk hunk : file.hunks()) {
        refuseImports(hunk);
        refuseUnmarkedRuns(hunk);
        refuseOpenStart(hunk);
      }
    }
  }

  private static void refuseImports(Hunk hunk) throws PatchException {
    for (String line : hunk.body()) {
      if (line.matches("\\+\\s*import\\s.*")) {
        throw fail(hunk, "import added, use the fully qualified name", line);
      }
    }
  }

  private static void refuseUnmarkedRuns(Hunk hunk) throws PatchException {
    boolean inside = false;
    List<String> run = new ArrayList<>();
    for (String line : withoutRemoved(hunk)) {
      if (line.startsWith("+")) {
        run.add(line);
      } else {
        refuseUnmarked(hunk, run, inside);
        run.clear();
      }
      inside = (inside || line.contains(START)) && !line.contains(END);
    }
    refuseUnmarked(hunk, run, inside);
  }

  private static void refuseUnmarked(Hunk hunk, List<String> run, boolean inside)
      throws PatchException {
    if (!run.isEmpty() && !inside && run.stream()
        .noneMatch(line -> line.contains(MARK) || line.contains(PAGE_MARK))) {
      throw fail(hunk, "added lines without marker", run.get(0));
    }
  }

  private static void refuseOpenStart(Hunk hunk) throws PatchException {
    String open = null;
    for (String line : withoutRemoved(hunk)) {
      open = line.contains(START) ? line : line.contains(END) ? null : open;
    }
    if (open != null && open.startsWith("+")) {
      throw fail(hunk, "the hunk has no '" + END + "' for", open);
    }
  }

  private static List<String> withoutRemoved(Hunk hunk) {
    return hunk.body().stream().filter(line -> !line.startsWith("-")).toList();
  }

  private static PatchException fail(Hunk hunk, String what, String line) {
    return new PatchException(hunk.where(), what + ": " + line.substring(1).strip());
  }
}
