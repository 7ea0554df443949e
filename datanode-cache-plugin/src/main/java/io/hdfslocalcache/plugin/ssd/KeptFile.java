/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.ssd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.health.Attempt;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.ssd.file.PrivateFiles;

/**
 * A small file that keeps what operators have commanded over a restart. It is on a disk that may
 * hang: then there is an error after a while.
 */
public final class KeptFile {

  private final Path path;
  private final boolean onSsd;
  private final long patienceNanos;

  /**
   * Names it; nothing is read yet.
   *
   * @param path the file; its directory is made when it is written
   * @param onSsd whether nothing above the directory may be made: the SSD may not be mounted
   * @param patienceNanos how long to wait for the disk
   */
  public KeptFile(Path path, boolean onSsd, long patienceNanos) {
    this.path = path;
    this.onSsd = onSsd;
    this.patienceNanos = patienceNanos;
  }

  /** @return where it is. */
  public Path path() {
    return path;
  }

  /**
   * Reads it.
   *
   * @return what is in it, or null if there is no file
   * @throws IOException if it cannot be read, or its SSD is not there
   */
  public byte[] read() throws IOException {
    return attempt(() -> {
      if (onSsd && !Files.isDirectory(path.getParent())) {
        throw new IOException("their SSD is not there: no " + path.getParent());
      }
      return Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? Files.readAllBytes(path) : null;
    });
  }

  /**
   * Writes it: all of it is in the file afterwards, or what was there before.
   *
   * @throws IOException if it cannot be written
   */
  public void write(byte[] content) throws IOException {
    attempt(() -> {
      if (onSsd) {
        PrivateFiles.createDirectory(path.getParent());
      } else {
        PrivateFiles.createDirectories(path.getParent());
      }
      PrivateFiles.replace(path, true, out -> out.write(content));
      return null;
    });
  }

  private <T> T attempt(SsdIo.Io<T> io) throws IOException {
    return new Attempt<>("local-cache-" + path.getFileName(), patienceNanos, io).get();
  }
}
