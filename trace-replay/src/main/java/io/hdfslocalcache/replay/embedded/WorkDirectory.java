/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.embedded;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.apache.hadoop.fs.FileUtil;

/** A directory that is gone with all that is in it when the process ends, however it ends. */
public final class WorkDirectory implements Closeable {

  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MS = 100;

  private final Path path;
  private final Thread hook = new Thread(this::deletePatiently, "delete-work-directory");

  private WorkDirectory(Path path) {
    this.path = path;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Makes a directory with a new name.
   *
   * @param prefix what its name begins with
   * @throws IOException if it cannot; the message is for the user
   */
  public static WorkDirectory createIn(Path parent, String prefix) throws IOException {
    try {
      return new WorkDirectory(
          Files.createTempDirectory(parent, prefix).toRealPath());
    } catch (IOException e) {
      throw new IOException("cannot make a directory in " + parent + "; is it writable?", e);
    }
  }

  /** @return where it is. */
  public Path path() {
    return path;
  }

  /** After Ctrl-C the daemons still run, and may bring a file back. */
  private void deletePatiently() {
    File directory = path.toFile();
    for (int i = 0; i < ATTEMPTS && directory.exists(); i++) {
      FileUtil.fullyDelete(directory);
      try {
        Thread.sleep(PAUSE_MS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  @Override
  public void close() {
    FileUtil.fullyDelete(path.toFile());
    if (!Files.exists(path)) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // It runs already.
      }
    }
  }
}
