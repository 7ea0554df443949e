/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.hadooptests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Why tests fail or are skipped, as found by reading and running them: lines "test: reason". */
final class Notes {

  private Notes() {
  }

  static Map<String, String> read(Path file) throws IOException {
    Map<String, String> notes = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.split(": ", 2);
      if (parts.length != 2) {
        throw new IOException(file + ": not of the form test: reason: " + line);
      }
      notes.put(parts[0], parts[1]);
    }
    return notes;
  }
}
