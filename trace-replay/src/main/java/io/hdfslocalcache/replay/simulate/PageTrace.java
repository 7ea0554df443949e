/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.replay.simulate;

import java.util.Arrays;

import io.hdfslocalcache.replay.trace.Replica;
import io.hdfslocalcache.replay.trace.Trace;
import io.hdfslocalcache.replay.trace.TraceException;

/**
 * The reads of a trace as sequence of pages of one size. Reads and pages are numbered from 0; reads
 * of no bytes are left out. Immutable; shared by all simulations with pages of this size.
 */
public final class PageTrace {

  private final Trace trace;
  private final int pageSize;
  private final Parts parts;
  /** The trace's number of each read. */
  private final int[] accesses;
  /** Where the pages of each read begin in the sequence; one more at the end. */
  private final int[] firsts;
  private final int[] sequence;
  /** Replica and number of the page in the block, by page. */
  private final long[] keys;

  private PageTrace(Trace trace, int pageSize) throws TraceException {
    this.trace = trace;
    this.pageSize = pageSize;
    this.parts = new Parts(pageSize);
    this.accesses = reads(trace);
    this.firsts = new int[accesses.length + 1];
    this.sequence = new int[countPages()];
    LongIndex index = new LongIndex();
    for (int read = 0; read < accesses.length; read++) {
      long replica = (long) trace.replica(accesses[read]) << Integer.SIZE;
      long page = replica + firstPage(read);
      for (int i = firsts[read]; i < firsts[read + 1]; i++) {
        sequence[i] = index.of(page++);
      }
    }
    this.keys = index.keys();
  }

  /**
   * Lays the reads of a trace out on pages.
   *
   * @param pageSize bytes of a page; as in a DataNode a multiple of 4096
   * @throws TraceException if there is no read, or more than 2^31 pages are read in all
   */
  public static PageTrace of(Trace trace, int pageSize) throws TraceException {
    return new PageTrace(trace, pageSize);
  }

  private static int[] reads(Trace trace) throws TraceException {
    int[] reads = new int[trace.size()];
    int n = 0;
    for (int i = 0; i < trace.size(); i++) {
      if (trace.isRead(i) && trace.length(i) > 0) {
        reads[n++] = i;
      }
    }
    if (n == 0) {
      throw new TraceException("no reads in the trace");
    }
    return Arrays.copyOf(reads, n);
  }

  private int countPages() throws TraceException {
    long pages = 0;
    for (int read = 0; read < accesses.length; read++) {
      firsts[read] = (int) pages;
      pages += 1 + (end(read) - 1) / pageSize - firstPage(read);
      if (pages > Integer.MAX_VALUE - 8) {
        throw new TraceException("more than 2^31 pages of " + pageSize + " bytes are read");
      }
    }
    firsts[accesses.length] = (int) pages;
    return (int) pages;
  }

  private long firstPage(int read) {
    return trace.offset(accesses[read]) / pageSize;
  }

  private long end(int read) {
    return trace.offset(accesses[read]) + length(read);
  }

  /** @return bytes of data in a full page. */
  public int pageSize() {
    return pageSize;
  }

  /** @return how pages are cut into parts. */
  Parts parts() {
    return parts;
  }

  /** @return bytes that a page takes on an SSD if it has all there is to have. */
  public int fullPageSpace() {
    return parts.space(parts.of(0, pageSize), pageSize);
  }

  /** @return number of reads. */
  public int reads() {
    return accesses.length;
  }

  /** @return number of different pages. */
  public int pages() {
    return keys.length;
  }

  /** @return number of pages read, each time anew. */
  int accesses() {
    return sequence.length;
  }

  /** @return where the pages of a read begin in the sequence; those of the next read follow. */
  int first(int read) {
    return firsts[read];
  }

  /** @return the page at a place in the sequence. */
  int page(int place) {
    return sequence[place];
  }

  /** @return when a read began, in milliseconds since the trace began. */
  long millis(int read) {
    return trace.timeMillis(accesses[read]) - trace.startMillis();
  }

  /** @return milliseconds from the first access of the trace to the last. */
  long spanMillis() {
    return trace.spanMillis();
  }

  /** @return what was read. */
  Replica replica(int read) {
    return trace.replicaAt(trace.replica(accesses[read]));
  }

  /** @return number of what was read, from 0 in the order in which replicas were read first. */
  int replicaNumber(int read) {
    return trace.replica(accesses[read]);
  }

  /** @return bytes of a read. */
  long length(int read) {
    return trace.length(accesses[read]);
  }

  private long startInBlock(int read, int place) {
    return (firstPage(read) + place - firsts[read]) * pageSize;
  }

  /** @return first byte that a read wants of its page at a place in the sequence. */
  int from(int read, int place) {
    return (int) Math.max(0, trace.offset(accesses[read]) - startInBlock(read, place));
  }

  /** @return the byte after the last that a read wants of its page at a place in the sequence. */
  int to(int read, int place) {
    return (int) Math.min(pageSize, end(read) - startInBlock(read, place));
  }

  /** @return what a page is of. */
  Replica replicaOf(int page) {
    return trace.replicaAt(replicaNumberOf(page));
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

  /** @return bytes of data in a page; less than the page size at the end of a block. */
  int dataBytes(int page) {
    long block = trace.replicaBytes(replicaNumberOf(page));
    return (int) Math.min(pageSize, block - start(page));
  }

  /** @return bytes that some parts of a page take on the SSD. */
  int space(int page, int partsOfIt) {
    return parts.space(partsOfIt, dataBytes(page));
  }
}
