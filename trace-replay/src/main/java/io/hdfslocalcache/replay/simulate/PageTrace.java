/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;
import java.util.List;

import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.Trace.Access;
import io.hdfslocalcache.replay.trace.Trace.Replica;
import io.hdfslocalcache.replay.trace.TraceException;

/**
 * The reads of a trace as a sequence of pages of one size. Reads and pages are numbered from 0;
 * reads of no bytes are left out. Some parts of a page are a number with a bit for each of them.
 * Immutable; shared by all simulations with pages of this size.
 */
public final class PageTrace {

  private final Trace trace;
  private final int pageSize;
  private final PageLayout layout;
  private final List<Access> reads;
  /** Start of each read's pages in the sequence; one more at the end. */
  private final int[] firsts;
  private final int[] sequence;
  /** Number of the replica and of the page in the block, by page. */
  private final long[] keys;

  private PageTrace(Trace trace, int pageSize) throws TraceException {
    this.trace = trace;
    this.pageSize = pageSize;
    this.layout = PageLayout.usual(pageSize, pageSize);
    this.reads = trace.accesses().stream()
        .filter(access -> access.isRead() && access.length() > 0).toList();
    if (reads.isEmpty()) {
      throw new TraceException("no reads in the trace");
    }
    this.firsts = new int[reads.size() + 1];
    long[] keySequence = new long[countPages()];
    for (int read = 0; read < reads.size(); read++) {
      long key = ((long) reads.get(read).replica() << Integer.SIZE) + firstPage(read);
      for (int place = firsts[read]; place < firsts[read + 1]; place++) {
        keySequence[place] = key++;
      }
    }
    this.keys = distinct(keySequence);
    this.sequence = new int[keySequence.length];
    Arrays.parallelSetAll(sequence, place -> Arrays.binarySearch(keys, keySequence[place]));
  }

  /**
   * Maps the reads of a trace to pages.
   *
   * @param pageSize bytes of a page; as in a DataNode a multiple of 4096
   * @throws TraceException if there is no read, or more than 2^31 pages are read in all
   */
  public static PageTrace of(Trace trace, int pageSize) throws TraceException {
    return new PageTrace(trace, pageSize);
  }

  private int countPages() throws TraceException {
    long pages = 0;
    for (int read = 0; read < reads.size(); read++) {
      firsts[read] = (int) pages;
      pages += 1 + (end(read) - 1) / pageSize - firstPage(read);
      if (pages > Integer.MAX_VALUE - 8) {
        throw new TraceException("more than 2^31 pages of " + pageSize + " bytes are read");
      }
    }
    firsts[reads.size()] = (int) pages;
    return (int) pages;
  }

  private static long[] distinct(long[] values) {
    long[] sorted = values.clone();
    Arrays.parallelSort(sorted);
    int n = 0;
    for (long value : sorted) {
      if (n == 0 || sorted[n - 1] != value) {
        sorted[n++] = value;
      }
    }
    return Arrays.copyOf(sorted, n);
  }

  private long firstPage(int read) {
    return reads.get(read).offset() / pageSize;
  }

  private long end(int read) {
    return reads.get(read).offset() + reads.get(read).length();
  }

  /** @return bytes of data in a full page. */
  public int pageSize() {
    return pageSize;
  }

  /** @return the layout of full pages. */
  PageLayout layout() {
    return layout;
  }

  /** @return space of a complete full page on an SSD. */
  public int fullPageSpace() {
    return spaceOf(layout.allParts(0), pageSize);
  }

  /** @return number of reads. */
  public int reads() {
    return reads.size();
  }

  /** @return number of different pages. */
  public int pages() {
    return keys.length;
  }

  /** @return number of page reads. */
  int accesses() {
    return sequence.length;
  }

  /** @return start of a read's pages in the sequence; those of the next read follow. */
  int first(int read) {
    return firsts[read];
  }

  /** @return the page at a place in the sequence. */
  int page(int place) {
    return sequence[place];
  }

  /** @return when a read began, in milliseconds since the trace began. */
  long millis(int read) {
    return reads.get(read).timeMillis() - trace.startMillis();
  }

  /** @return milliseconds from the first access of the trace to the last. */
  long spanMillis() {
    return trace.spanMillis();
  }

  /** @return the replica of a read. */
  Replica replica(int read) {
    return trace.replica(reads.get(read));
  }

  /** @return a read. */
  Access read(int number) {
    return reads.get(number);
  }

  private long startInBlock(int read, int place) {
    return (firstPage(read) + place - firsts[read]) * pageSize;
  }

  /** @return first byte that a read needs of its page at a place in the sequence. */
  int from(int read, int place) {
    return (int) Math.max(0, reads.get(read).offset() - startInBlock(read, place));
  }

  /** @return the byte after the last that a read needs of its page at a place in the sequence. */
  int to(int read, int place) {
    return (int) Math.min(pageSize, end(read) - startInBlock(read, place));
  }

  /** @return the replica of a page. */
  Replica replicaOf(int page) {
    return trace.replicas().get(replicaNumberOf(page));
  }

  private int replicaNumberOf(int page) {
    return (int) (keys[page] >>> Integer.SIZE);
  }

  /** @return number of a page in its block. */
  int pageInBlock(int page) {
    return (int) keys[page];
  }

  /** @return first byte of a page in its block. */
  long start(int page) {
    return (long) pageInBlock(page) * pageSize;
  }

  /** @return first byte, in the block, of the first of some parts of a page. */
  long start(int page, int parts) {
    return start(page) + layout.partStart(Integer.numberOfTrailingZeros(parts));
  }

  /** @return the byte, in the block, after the last of some parts of a page. */
  long end(int page, int parts) {
    int end = layout.partStart(Integer.SIZE - Integer.numberOfLeadingZeros(parts));
    return start(page) + Math.min(dataBytes(page), end);
  }

  /** @return bytes of data in a page; less than the page size at the end of a block. */
  int dataBytes(int page) {
    long block = trace.replicaBytes()[replicaNumberOf(page)];
    return (int) Math.min(pageSize, block - start(page));
  }

  /** @return bytes that some parts of a page take on the SSD, checksums included. */
  int space(int page, int parts) {
    return spaceOf(parts, dataBytes(page));
  }

  private int spaceOf(int parts, int dataBytes) {
    return PageLayout.alignedUp(layout.common(parts, 0, dataBytes))
        + Integer.bitCount(parts) * layout.tailLength();
  }
}
