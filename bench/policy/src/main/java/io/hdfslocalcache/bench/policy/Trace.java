/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.policy;

import java.util.Arrays;

/**
 * The reads of one DataNode, in order of time, in arrays.
 */
final class Trace {
  /** Bytes of a page, as the local cache's default. */
  static final int PAGE = 1 << 20;

  final String name;
  final int pagesPerBlock;
  final int blocks;
  final long capacityPages;
  private int size;
  private int[] millis;
  private int[] block;
  private int[] offset;
  private int[] length;

  /**
   * Makes an empty trace.
   *
   * @param name for the report
   * @param blocks blocks are numbered from 0 to less than this
   * @param pagesPerBlock length of a block, in pages
   * @param capacityPages capacity of the SSD, in pages
   * @param reads how many reads are expected
   */
  Trace(String name, int blocks, int pagesPerBlock, long capacityPages, int reads) {
    this.name = name;
    this.blocks = blocks;
    this.pagesPerBlock = pagesPerBlock;
    this.capacityPages = capacityPages;
    this.millis = new int[reads];
    this.block = new int[reads];
    this.offset = new int[reads];
    this.length = new int[reads];
  }

  /** Adds a read. */
  void add(int atMillis, int ofBlock, int from, int bytes) {
    if (size == millis.length) {
      grow(Math.max(1024, size * 2));
    }
    millis[size] = atMillis;
    block[size] = ofBlock;
    offset[size] = from;
    length[size] = bytes;
    size++;
  }

  private void grow(int reads) {
    millis = Arrays.copyOf(millis, reads);
    block = Arrays.copyOf(block, reads);
    offset = Arrays.copyOf(offset, reads);
    length = Arrays.copyOf(length, reads);
  }

  int size() {
    return size;
  }

  int millis(int read) {
    return millis[read];
  }

  int block(int read) {
    return block[read];
  }

  int offset(int read) {
    return offset[read];
  }

  int length(int read) {
    return length[read];
  }

  /** Returns the time of the last read. */
  int durationMillis() {
    return millis[size - 1];
  }

  int firstPage(int read) {
    return block[read] * pagesPerBlock + offset[read] / PAGE;
  }

  int lastPage(int read) {
    return block[read] * pagesPerBlock + (offset[read] + length[read] - 1) / PAGE;
  }

  /** Returns how many bytes of a page a read wants. */
  int bytesOf(int read, int page) {
    long start = (long) (page - block[read] * pagesPerBlock) * PAGE;
    long end = (long) offset[read] + length[read];
    return (int) (Math.min(start + PAGE, end) - Math.max(start, offset[read]));
  }
}
