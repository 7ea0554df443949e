/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;

/**
 * A small file that keeps what operators have commanded over a restart: in one place, or the same
 * on several SSDs, so that one that is replaced loses nothing. A disk may hang: then there is an
 * error after a while, unless another has the file.
 */
public final class KeptFile {

  /** A file as it was read. */
  private record Found(Path path, byte[] content, long millis) {
  }

  private final List<Path> paths;
  private final boolean onSsd;
  private final long patienceNanos;
  private volatile Path path;

  /**
   * Names it; nothing is read yet.
   *
   * @param paths the file in each place; its directory is made when it is written
   * @param onSsd whether nothing above the directory may be made: the SSD may not be mounted
   * @param patienceNanos how long to wait for the disks
   */
  public KeptFile(List<Path> paths, boolean onSsd, long patienceNanos) {
    this.paths = List.copyOf(paths);
    this.onSsd = onSsd;
    this.patienceNanos = patienceNanos;
    this.path = paths.get(0);
  }

  /** @return where it was read; until then, the first place. */
  public Path path() {
    return path;
  }

  /** @return whether it is on SSDs, and would be lost with all of them. */
  public boolean isOnSsd() {
    return onSsd;
  }

  /**
   * Reads it: of several that differ, because an SSD was away, the one that was written last.
   *
   * @return what is in it, or null if there is no file
   * @throws IOException if none can be read, and one may be where an SSD is not there or fails
   */
  public byte[] read() throws IOException {
    Found newest = null;
    IOException failed = null;
    for (Attempt<Found> attempt : begin(this::find).values()) {
      try {
        Found found = attempt.get();
        if (found != null && (newest == null || found.millis() > newest.millis())) {
          newest = found;
        }
      } catch (IOException e) {
        failed = failed == null ? e : failed;
      }
    }
    if (newest == null) {
      if (failed != null) {
        throw failed;
      }
      return null;
    }
    path = newest.path();
    return newest.content();
  }

  private Found find(Path file) throws IOException {
    // Its own directory is made when the SSD is used for the first time, which may be to come.
    Path directory = file.getParent().getParent();
    if (onSsd && !Files.isDirectory(directory)) {
      throw new IOException("their SSD is not there: no " + directory);
    }
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        ? new Found(file, Files.readAllBytes(file), Files.getLastModifiedTime(file).toMillis())
        : null;
  }

  /**
   * Writes it: all of it is in the file afterwards, or what was there before.
   *
   * @throws IOException if it cannot be written anywhere
   */
  public void write(byte[] content) throws IOException {
    boolean isWritten = false;
    IOException failed = null;
    for (Attempt<Void> attempt : begin(file -> replace(file, content)).values()) {
      try {
        attempt.get();
        isWritten = true;
      } catch (IOException e) {
        failed = failed == null ? e : failed;
      }
    }
    if (!isWritten) {
      throw failed;
    }
  }

  private Void replace(Path file, byte[] content) throws IOException {
    if (onSsd) {
      PrivateFiles.createDirectory(file.getParent());
    } else {
      PrivateFiles.createDirectories(file.getParent());
    }
    PrivateFiles.replace(file, true, out -> out.write(content));
    return null;
  }

  /** Something to be done with one of the files. */
  private interface Access<T> {
    T run(Path file) throws IOException;
  }

  /** All at once: each may wait for its disk. */
  private <T> Map<Path, Attempt<T>> begin(Access<T> access) {
    Map<Path, Attempt<T>> attempts = new LinkedHashMap<>();
    for (Path file : paths) {
      SsdIo.Io<T> io = () -> access.run(file);
      attempts.put(file, new Attempt<>("local-cache-" + file.getFileName(), patienceNanos, io));
    }
    return attempts;
  }
}
