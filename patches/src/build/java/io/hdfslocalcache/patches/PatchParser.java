/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.hdfslocalcache.patches.FilePatch.FileLines;
import io.hdfslocalcache.patches.Patch.PatchHeader;

/**
 * Reads a unified diff with a header. Strict, because a lenient reader skips what it does not
 * understand: every line must be part of the header, of a file's heading or of a hunk, and hunks
 * must have as many lines as they say.
 */
final class PatchParser {

  private static final Pattern HUNK =
      Pattern.compile("@@ -(\\d+)(?:,(\\d+))? \\+\\d+(?:,(\\d+))? @@.*");
  private static final Pattern GIT_LINE =
      Pattern.compile("(diff --git a/\\S+ b/\\S+|index \\S+( \\S+)?|\\s*)");
  private static final Pattern PATH = Pattern.compile("[ab]/((?!.*\\.\\.)(\\S+\\.java|webapps/\\S+\\.html))");

  private final String name;
  private final List<String> lines;
  private int next;

  private PatchParser(String name, List<String> lines) {
    this.name = name;
    this.lines = lines;
  }

  /**
   * @param patches the directory to which the name is relative
   * @throws PatchException if the patch cannot be understood completely
   */
  static Patch parse(Path patches, String name) throws IOException {
    byte[] bytes = Files.readAllBytes(patches.resolve(name));
    return new PatchParser(name, FileLines.split(bytes)).parse();
  }

  private Patch parse() throws PatchException {
    while (hasNext() && !peek().startsWith("--- ") && !peek().startsWith("diff ")) {
      next++;
    }
    PatchHeader header = PatchHeader.parse(name, lines.subList(0, next));
    List<FilePatch> files = new ArrayList<>();
    skipGitLines();
    while (hasNext()) {
      files.add(parseFile());
      skipGitLines();
    }
    if (files.isEmpty()) {
      throw new PatchException(name, "changes no file");
    }
    return new Patch(name, header, files);
  }

  private FilePatch parseFile() throws PatchException {
    String oldPath = parsePath("--- ");
    String newPath = parsePath("+++ ");
    if (!oldPath.equals(newPath)) {
      throw fail("a patch may only change files");
    }
    List<Hunk> hunks = new ArrayList<>();
    while (hasNext() && peek().startsWith("@@")) {
      hunks.add(parseHunk());
    }
    if (hunks.isEmpty()) {
      throw fail("expected hunks for " + newPath);
    }
    return new FilePatch(newPath, hunks);
  }

  private String parsePath(String prefix) throws PatchException {
    if (!hasNext() || !peek().startsWith(prefix)) {
      throw fail("expected a line that starts with " + prefix.strip());
    }
    // Some tools write a tab and a time stamp after the path.
    String path = peek().substring(prefix.length()).split("\t", 2)[0];
    Matcher matcher = PATH.matcher(path);
    if (!matcher.matches()) {
      throw fail("expected a/ or b/ and <path>.java or webapps/<path>.html, found: " + path);
    }
    next++;
    return matcher.group(1);
  }

  private Hunk parseHunk() throws PatchException {
    String where = name + ":" + (next + 1);
    Matcher range = HUNK.matcher(peek());
    if (!range.matches()) {
      throw fail("expected @@ -<line>,<count> +<line>,<count> @@");
    }
    next++;
    List<String> body = parseBody(count(range.group(2)), count(range.group(3)));
    if (body.stream().allMatch(line -> line.startsWith("+"))) {
      throw new PatchException(where, "a hunk without context could go anywhere");
    }
    return new Hunk(where, Integer.parseInt(range.group(1)), body);
  }

  private List<String> parseBody(int oldLeft, int newLeft) throws PatchException {
    List<String> body = new ArrayList<>();
    while (oldLeft > 0 || newLeft > 0) {
      char sign = hasNext() && !peek().isEmpty() ? peek().charAt(0) : '?';
      oldLeft -= sign == '+' ? 0 : 1;
      newLeft -= sign == '-' ? 0 : 1;
      if (" +-".indexOf(sign) < 0 || oldLeft < 0 || newLeft < 0) {
        throw fail("the hunk has other lines than its @@ says");
      }
      body.add(peek());
      next++;
    }
    return body;
  }

  private void skipGitLines() {
    while (hasNext() && GIT_LINE.matcher(peek()).matches()) {
      next++;
    }
  }

  private static int count(String group) {
    return group == null ? 1 : Integer.parseInt(group);
  }

  private boolean hasNext() {
    return next < lines.size();
  }

  private String peek() {
    return lines.get(next);
  }

  private PatchException fail(String what) {
    return new PatchException(name + ":" + (next + 1), what);
  }
}
