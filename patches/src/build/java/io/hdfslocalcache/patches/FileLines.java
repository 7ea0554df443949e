/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.patches;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
