/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

import io.hdfslocalcache.plugin.block.UseCount;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;

/**
 * An open page file, shared by all who read the page. Counted: the file is closed when the last
 * reader and the table of open pages have released it, so that a page that is evicted meanwhile
 * stays readable to the end. The file's bytes never change.
 */
public final class OpenPage implements Closeable {

  private final FileChannel file;
  private final PageResidency residency;
  private final MemoryProof proof;
  private final UseCount users = new UseCount();
  private volatile long modified;
  private volatile boolean recentlyUsed = true;

  /** A page of which nothing is known to be in memory. */
  OpenPage(FileChannel file) {
    this(file, PageResidency.UNKNOWN, 0);
  }

  private OpenPage(FileChannel file, PageResidency residency, int length) {
    this.file = file;
    this.residency = residency;
    this.modified = residency.lastModified();
    this.proof = new MemoryProof(residency, length);
  }

  /**
   * Opens a page's file.
   *
   * @param toucher of its SSD; null if the file system does not tell what it has in memory
   */
  static OpenPage of(Path path, FileChannel file, PageLayout layout, int page,
      PageToucher toucher) {
    return new OpenPage(file,
        toucher == null ? PageResidency.UNKNOWN : PageResidency.of(path, file, toucher),
        layout.dataLength(page));
  }

  /** @return the page file, for positioned reads and transfers only. */
  public FileChannel file() {
    return file;
  }

  /**
   * @return whether these bytes of the file are in the OS page cache now, so that reading them
   *     cannot wait for the SSD; false if that cannot be known
   */
  public boolean isResident(int from, int to) {
    return residency.isResident(from, to);
  }

  /** @return the proof that what is in memory was verified. */
  public MemoryProof proof() {
    return proof;
  }

  /** Takes back the proof if the file was written since; it should never be. */
  public void forgetIfWritten() {
    long now = residency.lastModified();
    if (now != modified) {
      // In this order: who finds the time noted finds the proof taken back.
      proof.takeBack();
      modified = now;
    }
  }

  /**
   * Fills the buffer from the page file.
   *
   * @throws DamagedPageException if the file is shorter
   * @throws IOException if the SSD fails
   */
  public void read(long position, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      int n = file.read(buffer, position);
      if (n < 0) {
        throw new DamagedPageException("page file ends at " + position, null);
      }
      position += n;
    }
  }

  /** @return the same page for one more user, who closes it too. For users only. */
  public OpenPage share() {
    if (!users.retain()) {
      throw new IllegalStateException("shared by somebody who does not use it");
    }
    return this;
  }

  /** @return false if the page is closed already. */
  boolean retain() {
    boolean retained = users.retain();
    if (retained) {
      recentlyUsed = true;
    }
    return retained;
  }

  /** Takes back the mark of recent use. @return whether it was set. */
  boolean forgetUse() {
    boolean used = recentlyUsed;
    recentlyUsed = false;
    return used;
  }

  /** Releases one use of the page. */
  @Override
  public void close() {
    if (users.release()) {
      residency.close();
      try {
        file.close();
      } catch (IOException e) {
        // It was only read: nothing is lost.
      }
    }
  }
}
