/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd.file;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.hdfslocalcache.shaded.alluxio.client.file.cache.PageId;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Files on an SSD whose deletion failed, to be retried when the SSD works again.
 *
 * <p>There is no list of these files: every file on the SSD that is no page will be deleted, so
 * none can be forgotten. The search runs only after a failed deletion, for at most one hundredth of
 * the time.
 */
final class UndeletedFiles {

  private static final int PAUSE_FACTOR = 100;

  private final PagePaths paths;
  private final Predicate<Path> isInWork;
  private final Consumer<IOException> onFailure;
  private final LongSupplier nanoClock;
  private long files;
  /** Time of the first failed deletion. */
  private long since;
  private long nextSearch;

  /**
   * @param isInWork whether a temporary file will become a page or be deleted
   * @param onFailure called for failed deletions
   */
  UndeletedFiles(PagePaths paths, Predicate<Path> isInWork, Consumer<IOException> onFailure,
      LongSupplier nanoClock) {
    this.paths = paths;
    this.isInWork = isInWork;
    this.onFailure = onFailure;
    this.nanoClock = nanoClock;
    this.nextSearch = nanoClock.getAsLong();
  }

  /** A file could not be deleted. */
  void add(IOException why) {
    add();
    onFailure.accept(why);
  }

  /** There may be a file that is no page, and that nothing else will delete. */
  synchronized void add() {
    if (files++ == 0) {
      since = nanoClock.getAsLong();
    }
  }

  /** @return number of files that could not be deleted, as far as is known. */
  synchronized long files() {
    return files;
  }

  /** @return milliseconds since the first of them could not be deleted; 0 if there is none. */
  synchronized long millis() {
    return files == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - since);
  }

  /**
   * Searches for files that are no pages, if there may be any, and retries to delete them.
   *
   * @param lock keeps pages from coming
   * @param isPage whether there is, or may be, a page of this name now
   * @param goOn called at the beginning, and before each file
   */
  void deleteAgain(Lock lock, Predicate<PageId> isPage, BooleanSupplier goOn) {
    if (!goOn.getAsBoolean()) {
      return;
    }
    long begin = nanoClock.getAsLong();
    long before;
    synchronized (this) {
      if (files == 0 || begin - nextSearch < 0) {
        return;
      }
      before = files;
    }
    Search search = new Search(lock, isPage, goOn);
    if (search.run()) {
      synchronized (this) {
        // What could not be deleted meanwhile is counted twice, until the next time.
        files += search.stuck - before;
        long end = nanoClock.getAsLong();
        nextSearch = end + PAUSE_FACTOR * (end - begin);
      }
    }
  }

  /** One search of the whole SSD. */
  private final class Search {
    private final Lock lock;
    private final Predicate<PageId> isPage;
    private final BooleanSupplier goOn;
    private long stuck;

    Search(Lock lock, Predicate<PageId> isPage, BooleanSupplier goOn) {
      this.lock = lock;
      this.isPage = isPage;
      this.goOn = goOn;
    }

    /** @return whether the search was complete. */
    boolean run() {
      attempt(() -> forEach(paths.root(), this::lookAtTrash));
      attempt(() -> forEach(paths.temporary(), this::lookAtTemporary));
      attempt(() -> forEach(paths.pages(),
          bucket -> attempt(() -> forEach(bucket, this::lookAtBlock))));
      return goOn.getAsBoolean();
    }

    /** The failure of one deletion must not stop the others. */
    private void attempt(InvocationRaisingIOE deletion) {
      try {
        deletion.apply();
      } catch (IOException e) {
        if (stuck++ == 0) {
          // Report only one: there may be many, each time the same.
          onFailure.accept(e);
        }
      }
    }

    private void forEach(Path directory, ConsumerRaisingIOE<Path> action) throws IOException {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
        for (Path entry : entries) {
          if (!goOn.getAsBoolean()) {
            return;
          }
          action.accept(entry);
        }
      } catch (NotDirectoryException e) {
        // Not our file.
      } catch (NoSuchFileException e) {
        if (!Existing.isDirectory(directory.getParent())) {
          // Not deleted with its last page: the SSD is missing, and may reappear soon.
          throw e;
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }

    private void lookAtTrash(Path directory) {
      if (directory.getFileName().toString().startsWith(PagePaths.TRASH)) {
        attempt(() -> PageTree.delete(directory));
      }
    }

    private void lookAtTemporary(Path file) {
      // Alluxio has files there too, but ours have numbers.
      if (file.getFileName().toString().chars().allMatch(Character::isDigit)
          && !isInWork.test(file)) {
        attempt(() -> Files.deleteIfExists(file));
      }
    }

    private void lookAtBlock(Path block) {
      String fileId = block.getFileName().toString();
      attempt(() -> forEach(block, file -> {
        int page = PagePaths.pageNumber(file.getFileName().toString());
        PageId id = new PageId(fileId, page);
        if (page >= 0 && !isPage.test(id)) {
          attempt(() -> deleteUnlessPage(id, file));
        }
      }));
      attempt(() -> PageFiles.deleteIfEmpty(block));
    }

    private void deleteUnlessPage(PageId id, Path file) throws IOException {
      lock.lock();
      try {
        if (!isPage.test(id)) {
          Files.deleteIfExists(file);
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
