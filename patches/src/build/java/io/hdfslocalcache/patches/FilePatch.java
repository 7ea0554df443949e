/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.hdfslocalcache.patches.Hunk.RefusedHunk;

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

  /**
   * A text file as its lines. Read and written so that every byte outside the patched lines stays
   * as it was, whatever the file's encoding and line ends.
   *
   * @param path for messages, relative to the root of the sources
   * @param lines without the line feeds; the last one is empty if the file ends with a line feed
   */
  record FileLines(String path, List<String> lines) {

    static FileLines read(Path root, String path) throws IOException {
      return new FileLines(path, split(Files.readAllBytes(root.resolve(path))));
    }

    /** Returns the lines of a text of one byte per character. */
    static List<String> split(byte[] bytes) {
      return List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\n", -1));
    }

    void write(Path root) throws IOException {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, String.join("\n", lines), StandardCharsets.ISO_8859_1);
    }
  }
}
