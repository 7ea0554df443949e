/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Saved states that were not written by the local cache under test. */
public final class TestingState {

  private TestingState() {
  }

  /** Writes a file with the right checksum. */
  public static void write(Path file, String json) throws IOException {
    Files.write(file, KeptState.withChecksum((ObjectNode) new ObjectMapper().readTree(json)));
  }

  /** Replaces a part of the text of a file. */
  public static void edit(Path file, String part, String instead) throws IOException {
    write(file, Files.readString(file).replace(part, instead));
  }
}
