/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.util.ArrayList;
import java.util.List;

/**
 * What a patch does to one file.
 *
 * @param path relative to the root of the sources
 */
record FilePatch(String path, List<Hunk> hunks) {

  /**
   * Returns the file with every hunk applied.
   *
   * @throws PatchException if a hunk does not apply exactly
   */
  FileLines applyTo(FileLines file) throws PatchException {
    List<PatchException> refused = new ArrayList<>();
    FileLines result = applyTo(file, refused);
    if (!refused.isEmpty()) {
      throw refused.get(0);
    }
    return result;
  }

  /**
   * Returns the file with every hunk applied that applies exactly.
   *
   * @param refused gets a line for each of the others
   */
  FileLines applyTo(FileLines file, List<PatchException> refused) {
    FileLines result = new FileLines(path, new ArrayList<>(file.lines()));
    int from = 0;
    int drift = 0;
    for (Hunk hunk : hunks) {
      int oldIndex = Math.max(hunk.oldStart() - 1, 0);
      int at;
      try {
        at = hunk.locate(result, from, oldIndex + drift);
      } catch (RefusedHunk e) {
        refused.add(e);
        continue;
      }
      int oldSize = hunk.oldLines().size();
      List<String> place = result.lines().subList(at, at + oldSize);
      place.clear();
      place.addAll(hunk.newLines());
      from = at + hunk.newLines().size();
      drift = from - (oldIndex + oldSize);
    }
    return result;
  }
}
