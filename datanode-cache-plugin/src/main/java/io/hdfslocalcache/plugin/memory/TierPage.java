/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;

import io.hdfslocalcache.plugin.block.UseCount;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.page.PageLayout;

/**
 * A page in the memory tier: an unlinked file in a tmpfs, with the bytes of the page's file. It is
 * sent to a socket by {@code sendfile}. Its bytes never change, and its memory is freed when the
 * tier and the last reader have released it; bytes that a socket still refers to stay until sent.
 */
final class TierPage implements PageBytes {

  /** Up to this many bytes, a copy and one write cost less than a write and a {@code sendfile}. */
  private static final int SMALL = 16 << 10;

  private final CachedBlock block;
  private final PageLayout layout;
  private final int page;
  private final int parts;
  private final int bytes;
  /** Null until it is written. */
  private FileChannel file;
  private final BufferPool buffers;
  private final Runnable whenFree;
  private final UseCount users = new UseCount();

  /**
   * @param parts parts in memory, a bit for each
   * @param bytes of memory
   * @param whenFree run once, when its memory is freed
   */
  TierPage(CachedBlock block, int page, int parts, int bytes, BufferPool buffers,
      Runnable whenFree) {
    this.block = block;
    this.layout = block.layout();
    this.page = page;
    this.parts = parts;
    this.bytes = bytes;
    this.buffers = buffers;
    this.whenFree = whenFree;
  }

  /** Takes its bytes, before others see it. @param written as on the SSD; closed with this */
  void consistOf(FileChannel written) {
    file = written;
  }

  /** @return whether this is a page of exactly this snapshot; then there is one more user. */
  boolean retainFor(CachedBlock wanted) {
    return block.snapshot().equals(wanted.snapshot()) && layout.equals(wanted.layout())
        && file.isOpen() && users.retain();
  }

  /** @return whether a reader holds it. */
  boolean isRead() {
    return !users.isLast();
  }

  /** @return its bytes of memory. */
  int bytes() {
    return bytes;
  }

  CachedBlock block() {
    return block;
  }

  @Override
  public boolean covers(int from, int to) {
    return (layout.partsOf(from, to) & ~parts) == 0;
  }

  @Override
  public Origin origin() {
    return Origin.MEMORY;
  }

  @Override
  public void readData(int position, ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      int n = read(target, position);
      position += n;
    }
  }

  @Override
  public void readChecksums(int position, ByteBuffer target) throws IOException {
    int inPart = layout.partChecksums();
    while (target.hasRemaining()) {
      int offset = position % inPart;
      int n = Math.min(target.remaining(), inPart - offset);
      readData(layout.tailPosition(page, position / inPart) + offset,
          target.slice(target.position(), n));
      target.position(target.position() + n);
      position += n;
    }
  }

  private int read(ByteBuffer target, int position) throws IOException {
    int n;
    try {
      n = file.read(target, position);
    } catch (IOException e) {
      throw new LostBytesException("reading memory", e);
    }
    if (n <= 0) {
      throw new LostBytesException("the file in memory ends at " + position, null);
    }
    return n;
  }

  @Override
  public int send(ByteBuffer head, int position, int length, WritableByteChannel socket)
      throws IOException {
    if (length <= SMALL && head.hasRemaining()) {
      BufferPool.Buffer buffer = buffers.take(head.remaining() + length);
      if (buffer != null) {
        try (buffer) {
          return sendCopy(buffer.bytes(), head, position, socket);
        }
      }
    }
    while (head.hasRemaining()) {
      if (socket.write(head) == 0) {
        return 0;
      }
    }
    return length == 0 ? 0 : transfer(position, length, socket);
  }

  private int sendCopy(ByteBuffer copy, ByteBuffer head, int position, WritableByteChannel socket)
      throws IOException {
    int before = head.remaining();
    copy.put(head.duplicate());
    readData(position, copy);
    int written = socket.write(copy.flip());
    head.position(head.position() + Math.min(written, before));
    return Math.max(0, written - before);
  }

  private int transfer(int position, int length, WritableByteChannel socket) throws IOException {
    try {
      int n = (int) file.transferTo(position, length, socket);
      if (n == 0 && file.size() < position + length) {
        throw new LostBytesException("the file in memory ends before " + position, null);
      }
      return n;
    } catch (LostBytesException e) {
      throw e;
    } catch (IOException e) {
      // An interrupted reader closes the file for all who share it. EIO does not come from a
      // socket, but from memory that is broken or swapped out to a broken disk.
      if (!file.isOpen() && !Thread.currentThread().isInterrupted() || isDiskError(e)) {
        throw new LostBytesException("sending from memory", e);
      }
      throw e;
    }
  }

  private static boolean isDiskError(IOException e) {
    return e.getMessage() != null && e.getMessage().startsWith("Input/output error");
  }

  @Override
  public PageBytes share() {
    users.share();
    return this;
  }

  @Override
  public void close() {
    if (users.release()) {
      try {
        if (file != null) {
          file.close();
        }
      } catch (IOException e) {
        // It is memory: nothing can be lost.
      } finally {
        whenFree.run();
      }
    }
  }
}
