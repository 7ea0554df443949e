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
import java.util.concurrent.TimeUnit;

import io.hdfslocalcache.plugin.ssd.file.Existing;
import io.hdfslocalcache.plugin.ssd.file.PagePaths;
import io.hdfslocalcache.plugin.ssd.file.PageTree;
import io.hdfslocalcache.time.TimeAndThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes directories without delaying the DataNode's start: unlinking millions of files takes
 * minutes. They are renamed at once, and deleted in the background; leftovers of a stop of the
 * DataNode are deleted after its next start.
 */
final class Trash implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Trash.class);
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Path root;
  private final Thread thread = TimeAndThreads.get().newThread(this::deleteAll);
  private Runnable whenLeft = () -> { };
  private boolean isLeft;

  private Trash(Path root) {
    this.root = root;
    thread.setName("local-cache-trash");
  }

  /**
   * Deletes the existing ones of some directories of one file system.
   *
   * @param root directory to move them to
   * @throws IOException if they cannot be moved
   */
  static Trash clear(Path root, List<Path> directories) throws IOException {
    for (Path directory : directories) {
      if (Existing.isAnything(directory)) {
        Files.move(directory,
            Files.createTempDirectory(root, PagePaths.TRASH).resolve(directory.getFileName()));
      }
    }
    Trash trash = new Trash(root);
    trash.thread.start();
    return trash;
  }

  private void deleteAll() {
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(root, PagePaths.TRASH + "*")) {
      for (Path directory : directories) {
        delete(directory);
      }
    } catch (IOException | RuntimeException e) {
      left(e);
    }
  }

  private void delete(Path directory) {
    try {
      PageTree.delete(directory);
    } catch (IOException e) {
      left(e);
    }
  }

  private synchronized void left(Exception why) {
    LOG.warn("Local cache: could not delete some old pages in {}", root, why);
    isLeft = true;
    whenLeft.run();
  }

  /** Registers a listener that is called if some cannot be deleted. */
  synchronized void whenLeft(Runnable listener) {
    whenLeft = listener;
    if (isLeft) {
      listener.run();
    }
  }

  /** Stops deleting; leftovers are deleted after the next start. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      TimeAndThreads.get().join(thread, CLOSE_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
