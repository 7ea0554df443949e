/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;

/** Files on an SSD that could not be deleted, and are to be deleted when the SSD is well again. */
final class UndeletedFiles {

  private static final int MOST = 10_000;

  private final PagePaths paths;
  private final Consumer<IOException> onFailure;
  /** Files that are no pages any more. */
  private final Queue<PageId> former = new LinkedBlockingQueue<>();
  /** Files that never were pages. */
  private final Queue<Path> unfinished = new ConcurrentLinkedQueue<>();

  /** @param onFailure called for every file that could not be deleted */
  UndeletedFiles(PagePaths paths, Consumer<IOException> onFailure) {
    this.paths = paths;
    this.onFailure = onFailure;
  }

  /** The file of a page that has left could not be deleted. */
  void add(PageId id, IOException why) {
    add(former, id, why);
  }

  /** Deletes the file of a page that was not published, now or later. */
  void delete(Path temporary) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      add(unfinished, temporary, e);
    }
  }

  private <T> void add(Queue<T> waiting, T item, IOException why) {
    onFailure.accept(why);
    if (waiting.size() < MOST) {
      waiting.add(item);
    }
  }

  /**
   * Tries once more. What fails again stays for the next time, and ends this one.
   *
   * @param lock keeps pages from coming
   * @param isPage whether there is a page of this name now
   */
  void deleteAgain(Lock lock, Predicate<PageId> isPage) {
    if (deleteAgain(unfinished, Files::deleteIfExists)) {
      deleteAgain(former, id -> {
        lock.lock();
        try {
          if (!isPage.test(id)) {
            Files.deleteIfExists(paths.file(id));
            PageTree.deleteIfEmpty(paths.block(id.getFileId()));
          }
        } finally {
          lock.unlock();
        }
      });
    }
  }

  private <T> boolean deleteAgain(Queue<T> waiting, ConsumerRaisingIOE<T> deletion) {
    for (T item = waiting.poll(); item != null; item = waiting.poll()) {
      try {
        deletion.accept(item);
      } catch (IOException e) {
        // Behind the others: one that can never be deleted shall not keep them waiting.
        waiting.add(item);
        onFailure.accept(e);
        return false;
      }
    }
    return true;
  }
}
