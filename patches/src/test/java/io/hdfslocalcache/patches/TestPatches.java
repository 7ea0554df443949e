/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Checks the patches against the rules. A header says why a patch is needed and when it can go.
 * Added lines are marked, so that a reader of the patched file sees what is not Hadoop's.
 */
public class TestPatches {

  private static final List<String> FIELDS = List.of("Description", "Origin", "Bug", "Forwarded",
      "Applies-To", "Tested-By", "Drop-When", "Last-Update");
  private static final Predicate<String> MARKED =
      Pattern.compile("// local-cache(?! start(?! - ))|<!-- local-cache").asPredicate();
  private static final String GOOD = """
      Description: Ask
       whom it concerns
      Origin: us
      Bug: none
      Forwarded: no
      Applies-To: 9.9.8, 9.9.9
      Tested-By: TestX
      Drop-When: never
      Last-Update: 2026-01-31

      --- a/org/A.java
      +++ b/org/A.java
      @@ -1,2 +1,3 @@
       a
      +x // local-cache
       b
      """;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void patches_ofThisProject_followTheRules() throws Exception {
    assertEquals(List.of(), problems(Path.of(".")));
  }

  @Test
  public void rules_goodPatches_areFine() throws Exception {
    assertProblem("", GOOD);
    assertProblem("", GOOD.replace("Forwarded: no", "Forwarded: https://example.org/1"));
    assertProblem("", body(" a", "-old", "+new // local-cache", " b"));
    assertProblem("", body(" a", "+// local-cache start - why", "+x", " hadoop", "+y",
        "+} // local-cache end", "+", " b"));
    assertProblem("", body(" a", "+x // local-cache", " // local-cache start - another patch's"));
    assertProblem("", body(" a", "+<script> <!-- local-cache -->", " b")
        .replace("org/A.java", "webapps/a.html"));
  }

  @Test
  public void rules_headers() throws Exception {
    for (String field : FIELDS) {
      assertProblem("header field " + field + " is missing",
          GOOD.replace(" whom it concerns\n", "").replaceFirst("(?m)^" + field + ":.*\n", ""));
      assertProblem("header field " + field + " is missing",
          GOOD.replace(" whom it concerns\n", "").replaceFirst("(?m)^" + field + ":.*", field + ":"));
    }
    assertProblem("Forwarded must be no, not-needed or a URL",
        GOOD.replace("Forwarded: no", "Forwarded: maybe"));
    assertProblem("Last-Update must be a date YYYY-MM-DD",
        GOOD.replace("2026-01-31", "31 Jan"));
    assertProblem("no header field: for no reason",
        GOOD.replace("Origin", "for no reason\nOrigin"));
    assertProblem("Applies-To does not name 9.9.9", GOOD.replace("9.9.9", "9.9.90"));
  }

  @Test
  public void rules_files() throws Exception {
    for (String other : List.of("/dev/null", "b/org/A.xml", "b/../A.java", "b/org/B.java")) {
      assertProblem("may only change a Java source or web page: " + other,
          GOOD.replace("b/org/A.java", other));
    }
    assertProblem("changes no file", GOOD.substring(0, GOOD.indexOf("---")));
  }

  @Test
  public void rules_markers() throws Exception {
    String unmarked = "added line without marker: x";
    assertProblem(unmarked, body(" a", "+x", " b"));
    assertProblem(unmarked, body(" a", "+y // local-cache", " b", "+x"));
    assertProblem(unmarked,
        body("+// local-cache start - why", "+// local-cache end", " b", "+x", " c"));
    assertProblem(unmarked, body(" a", "-y // local-cache", "+x"));
    assertProblem("added line without marker: // local-cache start",
        body("+// local-cache start", " a", "+x", " b", "+// local-cache end"));
    assertProblem("the hunk has no '// local-cache end'",
        body(" a", "+// local-cache start - why", "+x", " b"));
    assertProblem("import added, write the qualified name: import a.B; // local-cache",
        body(" a", "+import a.B; // local-cache", " b"));
  }

  @Test
  public void rules_series() throws Exception {
    assertEquals(List.of("common/p.patch: is in no series"), problems(tree(GOOD, "")));
    String twice = "common/p.patch\n# again\ncommon/p.patch\n";
    assertEquals(List.of("series.hadoop-9.9.9: listed twice: common/p.patch"),
        problems(tree(GOOD, twice)));
    assertEquals(List.of("series.hadoop-9.9.9: no such patch: common/q.patch"),
        problems(tree(GOOD, "common/p.patch\ncommon/q.patch\n")));
    Path other = tree(GOOD, "common/p.patch\nhadoop-9.9.8/p.patch\n");
    Files.createDirectories(other.resolve("hadoop-9.9.8"));
    Files.writeString(other.resolve("hadoop-9.9.8/p.patch"), GOOD);
    assertEquals(List.of("series.hadoop-9.9.9: of another release: hadoop-9.9.8/p.patch"),
        problems(other));
  }

  private void assertProblem(String expected, String patch) throws IOException {
    List<String> found = problems(tree(patch, "common/p.patch\n"));
    assertEquals(expected.isEmpty() ? List.of() : List.of("common/p.patch: " + expected), found);
  }

  private static String body(String... lines) {
    return GOOD.substring(0, GOOD.indexOf(" a\n")) + String.join("\n", lines) + "\n";
  }

  private Path tree(String patch, String series) throws IOException {
    Path patches = folder.newFolder().toPath();
    Files.createDirectories(patches.resolve("common"));
    Files.writeString(patches.resolve("common/p.patch"), patch);
    Files.writeString(patches.resolve("series.hadoop-9.9.9"), "# a comment\n\n" + series);
    return patches;
  }

  /** All that is wrong with the patches and series of a directory. */
  private static List<String> problems(Path patches) throws IOException {
    List<String> problems = new ArrayList<>();
    TreeSet<String> listed = new TreeSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(patches, "series.hadoop-*")) {
      for (Path series : all) {
        String name = series.getFileName().toString();
        String version = name.substring("series.hadoop-".length());
        List<String> names = Files.readAllLines(series).stream()
            .filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
        for (String patch : new TreeSet<>(names)) {
          if (names.indexOf(patch) != names.lastIndexOf(patch)) {
            problems.add(name + ": listed twice: " + patch);
          } else if (!Files.isRegularFile(patches.resolve(patch))) {
            problems.add(name + ": no such patch: " + patch);
          } else if (!patch.matches("(common|\\Qhadoop-" + version + "\\E)/[^/]+\\.patch")) {
            problems.add(name + ": of another release: " + patch);
          } else {
            String problem = problem(Files.readAllLines(patches.resolve(patch)), version);
            if (problem != null) {
              problems.add(patch + ": " + problem);
            }
          }
          listed.add(patch);
        }
      }
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(patches, "{common,hadoop-*}")) {
      for (Path directory : all) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.patch")) {
          for (Path file : files) {
            if (!listed.contains(patches.relativize(file).toString())) {
              problems.add(patches.relativize(file) + ": is in no series");
            }
          }
        }
      }
    }
    return problems;
  }

  /** The first thing that is wrong with a patch; null if nothing is. */
  private static String problem(List<String> patch, String version) {
    int diff = 0;
    while (diff < patch.size() && !patch.get(diff).matches("(---|diff) .*")) {
      diff++;
    }
    String problem = headerProblem(patch.subList(0, diff), version);
    List<String> lines = new ArrayList<>(patch.subList(diff, patch.size()));
    if (problem == null) {
      problem = lines.stream().anyMatch(line -> line.startsWith("+++ ")) ? fileProblem(lines)
          : "changes no file";
    }
    return problem == null ? markerProblem(lines) : problem;
  }

  private static String fileProblem(List<String> lines) {
    String before = "";
    for (String line : lines) {
      if (line.startsWith("+++ ")) {
        String path = line.substring("+++ ".length());
        if (!before.equals("--- a" + path.substring(1))
            || !path.matches("b/((?!.*\\.\\.)\\S+\\.java|webapps/\\S+\\.html)")) {
          return "may only change a Java source or web page: " + path;
        }
      } else if (line.matches("\\+\\s*import\\s.*")) {
        return "import added, write the qualified name: " + line.substring(1);
      }
      before = line;
    }
    return null;
  }

  /** Every run of added lines has a marker, or lies between a start and an end in its hunk. */
  private static String markerProblem(List<String> lines) {
    boolean inside = false;
    boolean opened = false;
    List<String> run = new ArrayList<>();
    lines.add("@@ the end");
    for (String line : lines) {
      if (line.startsWith("-") || line.startsWith("+++ ")) {
        continue;
      }
      if (line.startsWith("+")) {
        run.add(line.substring(1));
      } else {
        if (!run.isEmpty() && !inside && run.stream().noneMatch(MARKED)) {
          return "added line without marker: " + run.get(0);
        }
        run.clear();
      }
      if (line.startsWith("@@")) {
        if (opened) {
          return "the hunk has no '// local-cache end'";
        }
        inside = false;
      } else if (line.contains("// local-cache start - ")) {
        inside = true;
        opened = line.startsWith("+");
      } else if (line.contains("// local-cache end")) {
        inside = false;
        opened = false;
      }
    }
    return null;
  }

  private static String headerProblem(List<String> lines, String version) {
    Map<String, String> header = new LinkedHashMap<>();
    for (String line : lines) {
      if (line.matches("[A-Z][A-Za-z-]*:.*")) {
        int colon = line.indexOf(':');
        header.put(line.substring(0, colon), line.substring(colon + 1).strip());
      } else if (!line.isBlank() && !line.startsWith(" ")) {
        return "no header field: " + line;
      }
    }
    // A field may begin in the next line.
    for (String field : FIELDS) {
      int at = lines.indexOf(field + ":");
      boolean below = at >= 0 && at + 1 < lines.size() && lines.get(at + 1).startsWith(" ");
      if (header.getOrDefault(field, "").isEmpty() && !below) {
        return "header field " + field + " is missing";
      }
    }
    if (!header.get("Forwarded").matches("no|not-needed|https?://\\S+")) {
      return "Forwarded must be no, not-needed or a URL";
    }
    if (!header.get("Last-Update").matches("\\d{4}-\\d{2}-\\d{2}")) {
      return "Last-Update must be a date YYYY-MM-DD";
    }
    return List.of(header.get("Applies-To").split("[,\\s]+")).contains(version) ? null
        : "Applies-To does not name " + version;
  }
}
