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

/** Writes a file that is there as a whole or not at all. */
public final class WholeFile {

  private static final int BUFFER = 1 << 16;

  private WholeFile() {
  }

  /** What is written. */
  @FunctionalInterface
  public interface Content {
    /** Writes it. */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a file under another name and gives it its own when it is complete. Replaces a file that
   * has the name already.
   *
   * @param file the file; compressed by gzip if its name ends so
   * @param content what to write
   * @throws IOException if it cannot be written; then nothing is left of it
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
                   // Traces are large, and compress well enough with little effort.
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
