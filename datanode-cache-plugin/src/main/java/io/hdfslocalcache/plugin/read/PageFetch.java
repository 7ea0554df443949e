/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import io.hdfslocalcache.plugin.block.UseCount;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.BufferPool;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageSlice;
import io.hdfslocalcache.plugin.ssd.PageNotReadException;
import io.hdfslocalcache.time.TimeAndThreads;

/**
 * One read of some chunks of a page, from its SSD or from the replica, into a buffer, for all
 * waiting readers; then these bytes, until the last reader has sent them. The reading thread is a
 * user of the buffer too: if it hangs, it keeps the buffer after all readers have given up.
 */
final class PageFetch implements PageBytes {

  /** Waits for the end of a read, which may not have begun yet. */
  interface Waiting extends WaitBudget.Wait {

    /** @return whether nothing is left to share with other readers. */
    boolean isOver();
  }

  /** The end of a visit to the volume of a replica. */
  static final class VisitEnd implements Waiting {

    private final CompletableFuture<Void> end = new CompletableFuture<>();

    void succeeded() {
      end.complete(null);
    }

    void failed(Throwable why) {
      end.completeExceptionally(why);
    }

    @Override
    public void await(long nanos) throws IOException {
      try {
        TimeAndThreads.get().get(end, nanos);
      } catch (TimeoutException | ExecutionException e) {
        // The visit is told why.
        throw new PageNotReadException("has not been read from the replica");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new PageNotReadException("interrupted");
      }
    }

    /** Until the bytes are on the SSD, they are shared from memory. */
    @Override
    public boolean isOver() {
      return end.isCompletedExceptionally();
    }
  }

  private final CachedBlock block;
  private final PageSlice slice;
  /** Parts of the slice to read, a bit for each. */
  private final int parts;
  private final Origin origin;
  /** Starts with one for the reading thread. */
  private final UseCount users = new UseCount();
  /** Set before other threads see this. */
  private Waiting waiting;
  private volatile BufferPool.Buffer buffer;
  private volatile boolean isRead;

  /** @param origin origin of the bytes, for readers that share them */
  PageFetch(CachedBlock block, PageSlice slice, int parts, Origin origin) {
    this.block = block;
    this.slice = slice;
    this.parts = parts;
    this.origin = origin;
  }

  CachedBlock block() {
    return block;
  }

  PageSlice slice() {
    return slice;
  }

  /** @return the parts to read. */
  int parts() {
    return parts;
  }

  /** Sets how readers wait for its end, before any joins. */
  void waitWith(Waiting newWaiting) {
    waiting = newWaiting;
  }

  /** Waits until it is read. @throws IOException if that fails or takes too long */
  void await(long nanos) throws IOException {
    waiting.await(nanos);
  }

  /** @return whether nothing is left to share. */
  boolean isOver() {
    return waiting.isOver();
  }

  /** Adds a waiting reader. @return false if all have left, so nothing will be read */
  boolean join() {
    return users.retain();
  }

  /**
   * Reads and verifies. Called once, by the reading thread, which releases its use afterwards.
   *
   * @throws DamagedPageException if the source returned other bytes than the page
   * @throws PageNotReadException if there is no such page, or no memory for it
   * @throws IOException if the source fails
   */
  void read(PageFetches.Source source, BufferPool buffers) throws IOException {
    if (users.isLast()) {
      throw new PageNotReadException("nobody waits for it");
    }
    BufferPool.Buffer taken = buffers.take(slice.bufferLength());
    if (taken == null) {
      throw new PageNotReadException.NoBuffer();
    }
    buffer = taken;
    source.read(block, slice, taken.bytes());
    try {
      slice.verify(taken.bytes(), parts, block.snapshot(), block.fileId());
    } catch (DamagedPageException e) {
      if (origin != Origin.SSD) {
        throw e;
      }
      // While this waited, the page may have been evicted and filled again with other parts.
      if ((block.parts(slice.page()) & parts) != parts) {
        throw new PageNotReadException("parts of page " + slice.page() + " were evicted");
      }
      source.read(block, slice, taken.bytes());
      slice.verify(taken.bytes(), parts, block.snapshot(), block.fileId());
    }
    isRead = true;
  }

  /** @return whether the bytes were read and verified. */
  boolean isRead() {
    return isRead;
  }

  /** @return the bytes of the slice, with the tails of its parts. */
  ByteBuffer bytes() {
    return buffer.bytes();
  }

  @Override
  public boolean covers(int from, int to) {
    return slice.covers(from, to) && (slice.layout().partsOf(from, to) & ~parts) == 0;
  }

  @Override
  public Origin origin() {
    return origin;
  }

  private ByteBuffer data(int position, int length) {
    return slice.data(buffer.bytes()).slice(position - slice.from(), length);
  }

  @Override
  public void readData(int position, ByteBuffer target) {
    target.put(data(position, target.remaining()));
  }

  @Override
  public void readChecksums(int position, ByteBuffer target) {
    int inPart = slice.layout().partChecksums();
    while (target.hasRemaining()) {
      int offset = position % inPart;
      int n = Math.min(target.remaining(), inPart - offset);
      target.put(slice.tail(buffer.bytes(), position / inPart).slice(offset, n));
      position += n;
    }
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

  /** Bytes for the reader that read them from the replica, not for those that share them. */
  record OwnVisit(PageBytes bytes) implements PageBytes {

    @Override
    public Origin origin() {
      return Origin.REPLICA;
    }

    @Override
    public boolean covers(int from, int to) {
      return bytes.covers(from, to);
    }

    @Override
    public void readData(int position, ByteBuffer target) throws IOException {
      bytes.readData(position, target);
    }

    @Override
    public void readChecksums(int position, ByteBuffer target) throws IOException {
      bytes.readChecksums(position, target);
    }

    @Override
    public int send(ByteBuffer head, int position, int length, WritableByteChannel socket)
        throws IOException {
      return bytes.send(head, position, length, socket);
    }

    @Override
    public PageBytes share() {
      bytes.share();
      return this;
    }

    @Override
    public void close() {
      bytes.close();
    }
  }
}
