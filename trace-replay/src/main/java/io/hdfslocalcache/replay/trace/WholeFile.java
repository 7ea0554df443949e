/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.trace;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Writes a file completely or not at all. */
public final class WholeFile {

  private static final int BUFFER = 1 << 16;

  private WholeFile() {
  }

  /** The content to write. */
  @FunctionalInterface
  public interface Content {
    /** Writes it. */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a file under a temporary name and renames it when it is complete. Replaces an existing
   * file.
   *
   * @param file the file; compressed by gzip if its name ends so
   * @param content what to write
   * @throws IOException if it cannot be written; then nothing is left
   */
  public static void write(Path file, Content content) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(parent)) {
      throw new TraceException(parent + ": no such directory");
    }
    if (Files.isDirectory(file)) {
      throw new TraceException(file + ": is a directory");
    }
    Path temporary = parent.resolve("." + file.getFileName() + "." + ProcessHandle.current().pid()
        + ".tmp");
    try {
      try (OutputStream raw = Files.newOutputStream(temporary);
           OutputStream out = new BufferedOutputStream(
               file.toString().endsWith(".gz") ? new GZIPOutputStream(raw, BUFFER) {
                 {
                   // Traces are large, and compress well enough at the fastest level.
                   def.setLevel(Deflater.BEST_SPEED);
                 }
               } : raw, BUFFER)) {
        content.writeTo(out);
      }
      Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
