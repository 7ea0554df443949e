/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.settings;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

import io.hdfslocalcache.plugin.config.LocalCacheConfig;
import io.hdfslocalcache.plugin.config.Sizes;
import io.hdfslocalcache.plugin.ssd.SsdChanges;
import io.hdfslocalcache.plugin.ssd.SsdDirectories;
import io.hdfslocalcache.plugin.ssd.SsdReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds, drains, removes and replaces SSDs by command. The SSDs in use are saved for restarts, until
 * the configured directories change. An empty list is not saved: a restart uses the last SSDs.
 */
public final class SsdCommands {

  /**
   * The result of a command.
   *
   * @param directory the SSD's
   * @param done the words that follow the directory
   */
  public record Done(String directory, String done) {

    /** @return the same with more words, unless they are empty. */
    public Done and(String more) {
      return more.isEmpty() ? this : new Done(directory, done + "; " + more);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(SsdCommands.class);

  private final ReentrantLock one = new ReentrantLock();
  private final SsdDirectories directories;
  private final SsdChanges changes;
  private final RuntimeSettings settings;

  /** @param settings saves which SSDs are in use */
  public SsdCommands(SsdDirectories directories, SsdChanges changes, RuntimeSettings settings) {
    this.directories = directories;
    this.changes = changes;
    this.settings = settings;
  }

  /**
   * Runs a command. Waits for an SSD as long as a write may take.
   *
   * @param action add, drain, remove or replace
   * @param name the directory
   * @throws IllegalArgumentException with one line; nothing was changed
   */
  public Done run(String action, String name) {
    if (!one.tryLock()) {
      // Handler threads are few, and the other command may be waiting for its SSD.
      throw new IllegalArgumentException("another ssd command is running: try again");
    }
    try {
      return run(action, path(name));
    } finally {
      one.unlock();
    }
  }

  /**
   * Uses the SSDs that saved settings name, if newer ones were found since the start: a restart would,
   * too. Waits for SSDs.
   */
  public void restore() {
    one.lock();
    try {
      // If none is in use, an operator has taken out all, which is not saved.
      List<Path> inUse = directories.inUse();
      if (!inUse.isEmpty() && !settings.kept().isAsSaved(inUse)) {
        List<Path> saved = settings.kept().directories();
        LOG.info("Local cache: uses {}, set by an earlier command", saved);
        changes.useOnly(saved);
      }
    } finally {
      one.unlock();
    }
  }

  private Done run(String action, Path path) {
    boolean isUse = action.equals("add") || action.equals("replace");
    if (!isUse && !action.equals("drain") && !action.equals("remove")) {
      throw new IllegalArgumentException(
          "expected ssd add, drain, remove or replace, got: " + action);
    }
    List<Path> before = directories.inUse();
    List<Path> after = new ArrayList<>(before);
    if (!isUse) {
      after.remove(path);
    } else if (!after.contains(path)) {
      after.add(path);
    }
    try {
      check(action, path);
      if (isUse) {
        return use(action, path, before, after);
      }
      if (!after.isEmpty() && !after.equals(before)) {
        save(after);
      }
      String done = action.equals("drain") ? drain(path) : remove(path);
      return new Done(path.toString(), done).and(left()).and(settings.kept().doubt());
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private void save(List<Path> after) throws IOException {
    try {
      settings.kept().putDirectories(after);
    } catch (IOException e) {
      // What is not known comes with advice of its own.
      String first = !settings.kept().unknown().isEmpty() ? "" : directories.reports().stream()
          .filter(ssd -> after.contains(ssd.directory()) && !ssd.state().isReadable())
          .map(ssd -> "; first use ssd replace for " + ssd.directory() + ", or ssd add for another")
          .findFirst().orElse("");
      throw new IOException(e.getMessage() + first, e);
    }
  }

  /** @return that no page can be added to the SSDs that stay in use; empty if pages can. */
  private String left() {
    List<SsdReport> left =
        directories.reports().stream().filter(ssd -> !ssd.isDrained()).toList();
    return left.isEmpty() ? "no SSD is in use until ssd add or a restart of the DataNode"
        : left.stream().anyMatch(SsdReport::isFilled) ? ""
        : "no page can be added now: "
            + left.stream().map(ssd -> ssd.directory() + ": " + ssd.state() + ": " + ssd.reason())
                .collect(Collectors.joining("; "));
  }

  private Path path(String name) {
    try {
      Path path = settings.kept().path(name);
      if (path.isAbsolute() && !name.contains(",")) {
        return path.normalize();
      }
    } catch (InvalidPathException e) {
      // The exception below says it.
    }
    throw new IllegalArgumentException("expected the absolute path of a directory, got: " + name);
  }

  private void check(String action, Path path) throws IOException {
    List<Path> all = directories.paths();
    if (!action.equals("add")) {
      changes.requireKnown(path);
    }
    if (action.equals("add") && !all.contains(path)) {
      String trouble = LocalCacheConfig.overlap(path, all);
      if (trouble != null) {
        throw new IOException(path + ": " + trouble);
      }
    } else if (action.equals("remove") && all.size() > 1) {
      settings.kept().checkPlaceWithout(path);
    }
  }

  /** The list of SSDs is saved when the SSD is in use: there may be no other place. */
  private Done use(String action, Path path, List<Path> before, List<Path> wanted)
      throws IOException {
    List<Path> after = wanted;
    boolean wasDrained = !before.contains(path) && directories.paths().contains(path);
    if (action.equals("add")) {
      changes.add(path);
    } else {
      changes.replace(path);
    }
    String trouble = directories.trouble(path);
    Done done = new Done(path.toString(),
        (action.equals("add") ? "is used from now on" : "is replaced, and in use")
            + (trouble.isEmpty() ? "" : ", as far as it can be: " + trouble));
    // What the SSD has saved, perhaps that others are in use, too.
    if (!before.isEmpty() && !settings.kept().isAsSaved(before)) {
      after = new ArrayList<>(settings.kept().directories());
      after.remove(path);
      after.add(path);
      done = done.and("in use are now, as it has saved: "
          + after.stream().map(Path::toString).collect(Collectors.joining(", ")));
    }
    if (after.equals(before) && settings.kept().isAsSaved(after)) {
      return done;
    }
    try {
      settings.kept().putDirectories(after);
    } catch (IOException e) {
      if (wasDrained) {
        changes.drain(path);
      } else if (!before.contains(path)) {
        changes.remove(path);
      }
      throw e;
    }
    changes.useOnly(after);
    return done.and(settings.kept().notFound());
  }

  private String remove(Path path) throws IOException {
    // Its pages may be leaving at this moment.
    boolean isDrained = !directories.inUse().contains(path);
    boolean mayHaveMore = directories.isRestoring(path);
    long pages = changes.remove(path);
    String files = mayHaveMore || isDrained ? "files of pages may stay there"
        : "the files of " + pages + (pages == 1 ? " page" : " pages") + " stay there";
    return pages == 0 && !mayHaveMore ? "is no longer used"
        : "is no longer used; " + files + ": delete them"
            + (isDrained ? "" : ", or use the SSD again with ssd add");
  }

  private String drain(Path path) throws IOException {
    String trouble = directories.trouble(path);
    long bytes = changes.drain(path);
    if (!trouble.isEmpty()) {
      return "gets no more pages, but keeps its files until they can be deleted: " + trouble;
    }
    if (directories.isRestoring(path)) {
      return "is drained; when all its pages are restored, they are evicted within ten minutes";
    }
    return bytes == 0 ? "is drained, and has no pages"
        : "is drained; pages of " + Sizes.text(bytes) + " are evicted within ten minutes";
  }
}
