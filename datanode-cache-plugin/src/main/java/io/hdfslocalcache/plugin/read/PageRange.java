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

  /** Bytes before the data in memory for the head of a packet: one write sends both. */
  static final int HEAD = 1024;

  private final int page;
  private final int from;
  private final int to;
  private final OpenPage file;
  private final ByteBuffer memory;
  /** Where in memory the data begins, and how much before it is free. */
  private final int begin;
  private final int room;
  private final ByteBuffer checksums;
  private Runnable release;

  private PageRange(int page, int from, int to, OpenPage file, ByteBuffer memory, int begin,
      int room, ByteBuffer checksums, Runnable release) {
    this.page = page;
    this.from = from;
    this.to = to;
    this.file = file;
    this.memory = memory;
    this.begin = begin;
    this.room = room;
    this.checksums = checksums;
    this.release = release;
  }

  /** A range that is not to be had from the page. */
  static PageRange ofReplica(int page, int from, int to) {
    return new PageRange(page, from, to, null, null, 0, 0, null, null);
  }

  /**
   * A range whose bytes are in the page's file, which this takes over.
   *
   * @param checksums of the range, from index 0 on
   */
  static PageRange inFile(int page, int from, int to, OpenPage file, ByteBuffer checksums) {
    return new PageRange(page, from, to, file, null, 0, 0, checksums, file::close);
  }

  /**
   * A range whose bytes are in memory.
   *
   * @param memory has the bytes from index {@link #HEAD} on
   * @param checksums of the range, from index 0 on
   * @param release gives the memory back
   */
  static PageRange inMemory(int page, int from, int to, ByteBuffer memory, ByteBuffer checksums,
      Runnable release) {
    return new PageRange(page, from, to, null, memory, HEAD, HEAD, checksums, release);
  }

  /** @return a part of this range, which is in memory, not to be used when this is released. */
  PageRange part(PageLayout layout, int newFrom, int newTo) {
    int first = PageSums.length(layout, from, newFrom);
    return new PageRange(page, newFrom, newTo, null, memory, begin + newFrom - from,
        newFrom == from ? room : 0,
        checksums.slice(first, PageSums.length(layout, newFrom, newTo)), null);
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
    return file == null && memory == null;
  }

  boolean isInMemory() {
    return memory != null;
  }

  /** @return the page's file, or null if the bytes are elsewhere. */
  OpenPage file() {
    return file;
  }

  /** @return whether the range holds a byte of the page's data. */
  boolean holds(int ofPage, int position) {
    return page == ofPage && from <= position && position < to;
  }

  /** @return whether the range holds all these bytes of the page's data. */
  boolean holdsAll(int ofPage, int begins, int ends) {
    return page == ofPage && from <= begins && ends <= to;
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
    if (memory != null) {
      target.put(inMemory(position, target.remaining()));
    } else {
      file.read(position, target);
    }
  }

  /**
   * Gives checksums of the range, which is not of the replica. To be called before another range
   * is loaded.
   *
   * @param position of the first, among the checksums of the page
   */
  void readChecksums(PageLayout layout, int position, ByteBuffer target) {
    int first = position - from / layout.chunkSize() * layout.checksumSize();
    target.put(checksums.slice(first, target.remaining()));
  }

  /** @return bytes in memory from a position in the page on. */
  ByteBuffer inMemory(int position, int length) {
    return memory.slice(begin + position - from, length);
  }

  /** @return the same, with what is left of the head before it if there is room for both. */
  ByteBuffer inMemory(int position, int length, ByteBuffer head) {
    int before = head.remaining();
    if (position != from || before > room) {
      return inMemory(position, length);
    }
    ByteBuffer both = memory.slice(begin - before, before + length);
    both.put(head);
    return both.rewind();
  }

  @Override
  public void close() {
    if (release != null) {
      release.run();
      release = null;
    }
  }
}
