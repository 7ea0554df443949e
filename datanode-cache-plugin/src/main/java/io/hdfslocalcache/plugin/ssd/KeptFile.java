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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small file that keeps what operators have commanded over a restart: in one place, or the same
 * on several SSDs, so that one that is replaced loses nothing. A disk may hang: then there is an
 * error after a while, unless another has the file. As long as it could not be read it is not
 * written, or what it keeps would be lost. For any thread.
 */
public final class KeptFile {

  private static final Logger LOG = LoggerFactory.getLogger(KeptFile.class);

  /** Takes over what was kept. */
  public interface Reader {

    /**
     * Takes it over. May write to the file.
     *
     * @param content what is in the file; null: there is none
     * @param file where it was read
     * @throws IOException if it cannot be used, as a RuntimeException says, too
     */
    void read(byte[] content, Path file) throws IOException;
  }

  /** A file as it was read. */
  private record Found(Path path, byte[] content, long millis) {
  }

  private final String what;
  private final List<Path> paths;
  private final boolean onSsd;
  private final long patienceNanos;
  private Path path;
  private Reader reader;
  /** Why nothing can be written; null if it can. */
  private String broken;
  /** What is in the file; null if there is none. */
  private byte[] content;

  /**
   * Names it; nothing is read yet.
   *
   * @param what the plural of what is kept there, for messages
   * @param paths the file in each place; its directory is made when it is written
   * @param onSsd whether nothing above the directory may be made: the SSD may not be mounted
   * @param patienceNanos how long to wait for the disks
   */
  public KeptFile(String what, List<Path> paths, boolean onSsd, long patienceNanos) {
    this.what = what;
    this.paths = List.copyOf(paths);
    this.onSsd = onSsd;
    this.patienceNanos = patienceNanos;
    this.path = paths.isEmpty() ? null : paths.get(0);
    this.broken = "there is no place to keep " + what;
  }

  /** @return one that cannot be written, as there is no place for it. */
  public static KeptFile nowhere(String what) {
    return new KeptFile(what, List.of(), false, 0);
  }

  /** @return whether it is on SSDs, and would be lost with all of them. */
  public boolean isOnSsd() {
    return onSsd;
  }

  /**
   * Reads it. If that fails, which is logged, nothing can be written.
   *
   * @param newReader takes over what was kept, now or when an SSD has come
   */
  public synchronized void open(Reader newReader) {
    reader = newReader;
    read();
  }

  /**
   * An SSD has come: reads the file if it could not be read so far, or else writes it there, too.
   *
   * @return whether it was read just now
   */
  public synchronized boolean openAgain() {
    if (reader == null) {
      return false;
    }
    if (broken != null) {
      read();
      return broken == null;
    }
    try {
      if (content != null) {
        writeAll(content);
      }
    } catch (IOException e) {
      LOG.warn("Local cache: {} are not kept on one SSD more: {}", what, e.getMessage(), e);
    }
    return false;
  }

  private void read() {
    try {
      content = newest();
      broken = null;
      reader.read(content, path);
    } catch (IOException | RuntimeException e) {
      broken = "the " + what + " of before, in " + path + ", cannot be used: " + e.getMessage();
      LOG.error("Local cache: {}", broken, e);
    }
  }

  /**
   * Reads it: of several that differ, because an SSD was away, the one that was written last.
   *
   * @return what is in it, or null if there is no file
   * @throws IOException if none can be read, and one may be where an SSD is not there or fails
   */
  private byte[] newest() throws IOException {
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
   * @throws IOException if it cannot be written anywhere, or could not be read before
   */
  public synchronized void write(byte[] newContent) throws IOException {
    if (broken != null) {
      throw new IOException(broken);
    }
    writeAll(newContent);
    content = newContent;
  }

  private void writeAll(byte[] bytes) throws IOException {
    boolean isWritten = false;
    IOException failed = null;
    for (Attempt<Void> attempt : begin(file -> replace(file, bytes)).values()) {
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

  private Void replace(Path file, byte[] bytes) throws IOException {
    if (onSsd) {
      PrivateFiles.createDirectory(file.getParent());
    } else {
      PrivateFiles.createDirectories(file.getParent());
    }
    PrivateFiles.replace(file, true, out -> out.write(bytes));
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
