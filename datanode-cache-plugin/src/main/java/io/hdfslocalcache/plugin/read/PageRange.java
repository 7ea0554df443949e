/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.store.OpenPage;

/**
 * Some chunks of a page, ready to be sent: verified as configured, and either in memory or in a
 * file whose bytes are in memory; or else known to come from the replica.
 */
final class PageRange implements Closeable {

  private final int page;
  private final int from;
  private final int to;
  private final OpenPage file;
  private final ByteBuffer data;
  private final ByteBuffer checksums;
  private Runnable release;

  private PageRange(int page, int from, int to, OpenPage file, ByteBuffer data,
      ByteBuffer checksums, Runnable release) {
    this.page = page;
    this.from = from;
    this.to = to;
    this.file = file;
    this.data = data;
    this.checksums = checksums;
    this.release = release;
  }

  /** A range that is not to be had from the page. */
  static PageRange ofReplica(int page, int from, int to) {
    return new PageRange(page, from, to, null, null, null, null);
  }

  /** A range whose bytes are in the page's file, which this takes over. */
  static PageRange inFile(int page, int from, int to, OpenPage file) {
    return new PageRange(page, from, to, file, null, null, file::close);
  }

  /**
   * A range whose bytes, from index 0 on, are in memory.
   *
   * @param release gives the memory back
   */
  static PageRange inMemory(int page, int from, int to, ByteBuffer data, ByteBuffer checksums,
      Runnable release) {
    return new PageRange(page, from, to, null, data, checksums, release);
  }

  /** @return first byte of the page's data in the range. */
  int from() {
    return from;
  }

  /** @return byte of the page's data after the range. */
  int to() {
    return to;
  }

  boolean isOfReplica() {
    return file == null && data == null;
  }

  /** @return the page's file, or null if the bytes are elsewhere. */
  OpenPage file() {
    return file;
  }

  /** @return whether the range holds a byte of the page's data. */
  boolean holds(int ofPage, int position) {
    return page == ofPage && from <= position && position < to;
  }

  /** @return whether the range lies before a byte of the block, or cannot be told apart from it. */
  boolean isBefore(int otherPage, int position) {
    return page < otherPage || page == otherPage && to <= position;
  }

  /** @return the range's bytes from a position in the page on, at most so many. */
  int available(int position, int atMost) {
    return Math.min(atMost, to - position);
  }

  /** Gives the range's data. @throws IOException if the file cannot be read */
  void readData(int position, ByteBuffer target) throws IOException {
    if (data != null) {
      target.put(data.duplicate().limit(position - from + target.remaining())
          .position(position - from));
    } else {
      file.read(position, target);
    }
  }

  /** Gives checksums of the range. @throws IOException if the file cannot be read */
  void readChecksums(PageLayout layout, int position, ByteBuffer target) throws IOException {
    if (checksums != null) {
      int begin = position - from / layout.chunkSize() * layout.checksumSize();
      target.put(checksums.duplicate().limit(begin + target.remaining()).position(begin));
    } else {
      file.read(layout.dataLength(page) + position, target);
    }
  }

  /** @return the bytes in memory from a position in the page on, or null if they are in a file. */
  ByteBuffer inMemory(int position, int length) {
    return data == null ? null
        : data.duplicate().limit(position - from + length).position(position - from);
  }

  @Override
  public void close() {
    if (release != null) {
      release.run();
      release = null;
    }
  }
}
