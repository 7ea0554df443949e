/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.mount;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.hdfslocalcache.plugin.ssd.file.PageTree;
import org.apache.hadoop.util.Daemon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears directories without making the DataNode's start wait: millions of files take minutes to
 * unlink. They are renamed at once, and deleted in the background; what a stop of the DataNode
 * leaves over is deleted after its next start.
 */
final class Trash implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Trash.class);
  private static final String PREFIX = "trash-";
  private static final long CLOSE_MILLIS = 10_000;

  private final Path root;
  private final Daemon thread = new Daemon(this::deleteAll);

  private Trash(Path root) {
    this.root = root;
    thread.setName("local-cache-trash");
  }

  /**
   * Deletes directories of one file system, as far as they are there.
   *
   * @param root where they are moved to
   * @throws IOException if they cannot be moved
   */
  static Trash clear(Path root, List<Path> directories) throws IOException {
    for (Path directory : directories) {
      if (Files.exists(directory)) {
        Files.move(directory,
            Files.createTempDirectory(root, PREFIX).resolve(directory.getFileName()));
      }
    }
    Trash trash = new Trash(root);
    trash.thread.start();
    return trash;
  }

  private void deleteAll() {
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(root, PREFIX + "*")) {
      for (Path directory : directories) {
        PageTree.delete(directory);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Local cache: old pages in {} could not all be deleted", root, e);
    }
  }

  /** Stops deleting; what is left is deleted after the next start. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
