/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.fetch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;

import io.hdfslocalcache.plugin.block.UseCount;
import io.hdfslocalcache.plugin.health.SsdIo;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.page.ChunkVerifier;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.page.PageTrailer;
import io.hdfslocalcache.plugin.store.NoBufferException;
import io.hdfslocalcache.plugin.store.PageNotReadException;

/**
 * One read of some chunks of a page from its SSD, into a buffer, for all who wait for it; and then
 * these bytes, until the last of them has sent what it wants. The thread that reads is a user of
 * the buffer, too: one that hangs keeps it, when all others have given up.
 */
final class PageFetch implements PageBytes {

  /** Reads a slice of a page's file from the SSD. */
  interface Source {
    /** @throws PageNotReadException if there is no such page */
    void read(CachedBlock block, PageSlice slice, ByteBuffer buffer) throws IOException;
  }

  private final CachedBlock block;
  private final PageSlice slice;
  /** Begins with one for the thread that will read. */
  private final UseCount users = new UseCount();
  private final CompletableFuture<SsdIo.Task<Void>> task = new CompletableFuture<>();
  private volatile BufferPool.Buffer buffer;
  private ByteBuffer data;
  private ByteBuffer tail;

  PageFetch(CachedBlock block, PageSlice slice) {
    this.block = block;
    this.slice = slice;
  }

  CachedBlock block() {
    return block;
  }

  PageSlice slice() {
    return slice;
  }

  /** Has begun to be read. @param begun to wait with */
  void begun(SsdIo.Task<Void> begun) {
    task.complete(begun);
  }

  /** Will not be read. */
  void notBegun(Throwable why) {
    task.completeExceptionally(why);
  }

  /** Waits until it is read. @throws IOException if it cannot be, or not in time */
  void await() throws IOException {
    // Whoever has made the entry is about to begin.
    task.join().await();
  }

  /** @return whether there is nothing to wait for any more. */
  boolean isOver() {
    return task.isCompletedExceptionally() || task.isDone() && task.join().isOver();
  }

  /** Joins those who wait. @return false if nobody is left, and so nothing will be read */
  boolean join() {
    return users.retain();
  }

  /**
   * Reads and verifies. Called once, by a thread of the SSD's, which releases its use afterwards.
   *
   * @throws DamagedPageException if the SSD returned something else than the page
   * @throws PageNotReadException if there is no such page, or no memory for it
   * @throws IOException if the SSD fails
   */
  void read(Source source, BufferPool buffers) throws IOException {
    if (users.isLast()) {
      throw new PageNotReadException("nobody waits for it");
    }
    BufferPool.Buffer taken = buffers.take(slice.bufferLength());
    if (taken == null) {
      throw new NoBufferException();
    }
    buffer = taken;
    source.read(block, slice, taken.bytes());
    data = slice.data(taken.bytes());
    tail = slice.tail(taken.bytes());
    verify();
  }

  private void verify() throws DamagedPageException {
    if (!PageTrailer.matchesWithChecksums(
        tail.duplicate(), block.snapshot(), slice.layout(), slice.page())) {
      throw new DamagedPageException("not page " + slice.page() + " of " + block, null);
    }
    int first = slice.from() / slice.layout().chunkSize() * slice.layout().checksumSize();
    new ChunkVerifier(slice.layout())
        .verify(data, tail.duplicate().position(first), slice.page(), slice.from());
  }

  /** @return the page's whole file, if the slice is whole. */
  ByteBuffer file() {
    return buffer.bytes().duplicate().clear();
  }

  @Override
  public boolean covers(int from, int to) {
    return slice.covers(from, to);
  }

  @Override
  public boolean isInTier() {
    return false;
  }

  private ByteBuffer data(int position, int length) {
    return data.slice(position - slice.from(), length);
  }

  @Override
  public void readData(int position, ByteBuffer target) {
    target.put(data(position, target.remaining()));
  }

  @Override
  public void readChecksums(int position, ByteBuffer target) {
    target.put(tail.slice(position, target.remaining()));
  }

  @Override
  public int send(ByteBuffer head, int position, int length, WritableByteChannel socket)
      throws IOException {
    ByteBuffer bytes = data(position, length);
    if (head.hasRemaining() && socket instanceof GatheringByteChannel gathering) {
      gathering.write(new ByteBuffer[] {head, bytes});
    } else {
      while (head.hasRemaining()) {
        if (socket.write(head) == 0) {
          return 0;
        }
      }
      socket.write(bytes);
    }
    return bytes.position();
  }

  @Override
  public PageBytes share() {
    users.share();
    return this;
  }

  @Override
  public void close() {
    if (users.release() && buffer != null) {
      buffer.close();
    }
  }
}
