/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

import io.hdfslocalcache.plugin.block.UseCount;
import io.hdfslocalcache.plugin.page.DamagedPageException;

/**
 * An open page file, shared by all who read the page. Counted: the file is closed when the last
 * reader and the table of open pages have released it, so that a page that is evicted meanwhile
 * stays readable to the end. The file's bytes never change.
 */
public final class OpenPage implements Closeable {

  private final FileChannel file;
  private final UseCount users = new UseCount();
  private volatile boolean recentlyUsed = true;

  OpenPage(FileChannel file) {
    this.file = file;
  }

  /** @return the page file, for positioned reads and transfers only. */
  public FileChannel file() {
    return file;
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
      try {
        file.close();
      } catch (IOException e) {
        // It was only read: nothing is lost.
      }
    }
  }
}
