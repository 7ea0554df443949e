/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One patch of a series.
 *
 * @param name path relative to the patches directory, as in the series
 */
record Patch(String name, PatchHeader header, List<FilePatch> files) {

  /** Tells whether it changes web pages, which are in no jar, and no source. */
  boolean isOfPage() {
    return files.stream().allMatch(file -> file.path().startsWith(SourceTree.PAGES));
  }

  /** Refuses a patch in the series of a Hadoop release that its own header does not name. */
  void checkAppliesTo(String version) throws PatchException {
    if (!List.of(header.get("Applies-To").split("[,\\s]+")).contains(version)) {
      throw new PatchException(name, "is in the series of Hadoop " + version
          + ", which its header field Applies-To does not name");
    }
  }

  /**
   * The fields before the first change of a patch, in the manner of Debian's DEP-3: {@code Name:
   * value}, continued by lines that start with a space. They say why the patch is needed and when
   * it can go.
   */
  record PatchHeader(Map<String, String> fields) {

    /** Every patch has each of these. */
    static final List<String> REQUIRED = List.of("Description", "Origin", "Bug", "Forwarded",
        "Applies-To", "Tested-By", "Drop-When", "Last-Update");

    private static final Pattern FIELD = Pattern.compile("([A-Z][A-Za-z-]*):(.*)");
    private static final Pattern FORWARDED = Pattern.compile("no|not-needed|https?://\\S+");

    /**
     * @throws PatchException naming the patch and the line or field that is wrong or missing
     */
    static PatchHeader parse(String patch, List<String> lines) throws PatchException {
      Map<String, String> fields = new LinkedHashMap<>();
      String current = null;
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        Matcher field = FIELD.matcher(line);
        if (field.matches() && !fields.containsKey(field.group(1))) {
          current = field.group(1);
          fields.put(current, field.group(2).strip());
        } else if (line.startsWith(" ") && current != null) {
          fields.merge(current, line.strip(), (a, b) -> (a + " " + b).strip());
        } else if (!line.isBlank()) {
          throw new PatchException(patch + ":" + (i + 1), "expected a new header field or a line"
              + " that starts with a space, found: " + line);
        }
      }
      PatchHeader header = new PatchHeader(fields);
      header.validate(patch);
      return header;
    }

    /** Returns the value of a field, empty if there is none. */
    String get(String field) {
      return fields.getOrDefault(field, "");
    }

    private void validate(String patch) throws PatchException {
      for (String field : REQUIRED) {
        if (get(field).isEmpty()) {
          throw new PatchException(patch, "header field " + field + " is missing or empty");
        }
      }
      if (!FORWARDED.matcher(get("Forwarded")).matches()) {
        throw new PatchException(patch, "header field Forwarded must be no, not-needed or a URL");
      }
      try {
        LocalDate.parse(get("Last-Update"));
      } catch (DateTimeException e) {
        throw new PatchException(patch, "header field Last-Update must be a date YYYY-MM-DD");
      }
    }
  }
}
