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
 * One read of some chunks of a page, from its SSD or from the replica, into a buffer, for all who wait
 * for it; and then these bytes, until the last of them has sent what it wants. The thread that reads
 * is a user of the buffer, too: one that hangs keeps it, when all others have given up.
 */
final class PageFetch implements PageBytes {

  /** Waits for the end of a read, which may not have begun yet. */
  interface Waiting extends WaitBudget.Wait {

    /** @return whether there is nothing left to be shared by others. */
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

    /** Until it is on the SSD, what was read is shared from memory. */
    @Override
    public boolean isOver() {
      return end.isCompletedExceptionally();
    }
  }

  private final CachedBlock block;
  private final PageSlice slice;
  /** Those of the slice's parts that are read, a bit for each. */
  private final int parts;
  private final Origin origin;
  /** Begins with one for the thread that will read. */
  private final UseCount users = new UseCount();
  /** Set before anybody else sees this. */
  private Waiting waiting;
  private volatile BufferPool.Buffer buffer;

  /** @param origin where the bytes are from, for those who share the read */
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

  /** @return the parts that are read. */
  int parts() {
    return parts;
  }

  /** Sets how its end is waited for, before anybody joins. */
  void waitWith(Waiting newWaiting) {
    waiting = newWaiting;
  }

  /** Waits until it is read. @throws IOException if it cannot be, or not in time */
  void await(long nanos) throws IOException {
    waiting.await(nanos);
  }

  /** @return whether there is nothing left to be shared. */
  boolean isOver() {
    return waiting.isOver();
  }

  /** Joins those who wait. @return false if nobody is left, and so nothing will be read */
  boolean join() {
    return users.retain();
  }

  /**
   * Reads and verifies. Called once, by a thread which releases its use afterwards.
   *
   * @throws DamagedPageException if the source returned something else than the page
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
      // While this waited for its turn, the page may have left and come back with other parts.
      if ((block.parts(slice.page()) & parts) != parts) {
        throw new PageNotReadException("parts of page " + slice.page() + " have left");
      }
      source.read(block, slice, taken.bytes());
      slice.verify(taken.bytes(), parts, block.snapshot(), block.fileId());
    }
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

  /** Bytes for the reader that has fetched them from the replica: those who share them did not. */
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
