/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

import io.hdfslocalcache.plugin.block.ReplicaOpener;
import io.hdfslocalcache.plugin.config.Verification;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.page.DamagedPageException;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.plugin.store.OpenPage;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/**
 * Reads data and checksums of one snapshot of a block: from its pages where there are any, and
 * from the replica on the data volume where there are none, which is opened when the first byte of
 * it is needed and not before.
 *
 * <p>The two may be mixed freely, even data of the one with checksums of the other: they hold the
 * same bytes, because both are of the same generation stamp and length, and a page was verified
 * when it was filled. An error of the SSD sends the reader to the replica for the rest of the page,
 * in the middle of a packet if need be; an error of the socket is the client's, and goes up as it
 * would without a local cache.
 *
 * <p>Used by one thread.
 */
public final class SnapshotReader implements Closeable {

  private final CachedBlock block;
  private final PageLayout layout;
  private final PageSource pages;
  private final FallbackReplica replica;
  private final PageCursor data = new PageCursor();
  private final PageCursor checksums = new PageCursor();
  private final PageVerifier verifier;
  private long bytesFromPages;
  private long bytesFromReplica;
  private long bytesZeroCopy;

  /**
   * @param block whose pages are read
   * @param pages where its pages are found
   * @param opener opens the replica that the pages were copied from
   * @param verification when pages are verified
   */
  public SnapshotReader(CachedBlock block, PageSource pages, ReplicaOpener opener,
      Verification verification) {
    this.block = block;
    this.layout = block.layout();
    this.pages = pages;
    this.replica = new FallbackReplica(block, opener);
    this.verifier = verification == Verification.ALWAYS ? new PageVerifier(layout) : null;
  }

  /**
   * Makes sure that the read can go on when the replica changes. To be called before the first
   * read.
   *
   * @return false if the replica has changed already: this reader must not be used
   */
  public boolean holdReplica() {
    return replica.hold();
  }

  /** @return bytes of data in the snapshot. */
  public long length() {
    return layout.blockLength();
  }

  /** @return type and chunk size of the checksums. */
  public DataChecksum checksum() {
    return layout.newChecksum();
  }

  /** Goes to an offset in the block, and to the checksum of its chunk. */
  public void seek(long offset) {
    data.position(offset);
    checksums.position(layout.checksumPosition(offset));
  }

  /** Reads the next bytes of data into a buffer. */
  public void readData(byte[] buffer, int offset, int length) throws IOException {
    int end = offset + length;
    while (offset < end) {
      int page = layout.pageOf(data.position());
      int inPage = (int) (data.position() - layout.start(page));
      int n = Math.min(end - offset, layout.dataLength(page) - inPage);
      ByteBuffer target = ByteBuffer.wrap(buffer, offset, n);
      if (readDataFromPage(page, inPage, target)) {
        bytesFromPages += n;
      } else {
        replica.get().readData(data.position(), target.position(offset));
        bytesFromReplica += n;
      }
      data.advance(n);
      offset += n;
    }
  }

  /** @return whether the buffer was filled from the page's file; else it is to be read again. */
  private boolean readDataFromPage(int page, int position, ByteBuffer target) {
    OpenPage open = verifiedPage(page, position, target.remaining());
    if (open == null) {
      return false;
    }
    try {
      open.read(position, target);
      return true;
    } catch (IOException e) {
      giveUp(page, e);
      return false;
    }
  }

  /** Reads the next checksums into a buffer. */
  public void readChecksums(byte[] buffer, int offset, int length) throws IOException {
    int end = offset + length;
    while (offset < end) {
      int page = layout.pageOfChecksum(checksums.position());
      int inPage = (int) (checksums.position() - layout.checksumStart(page));
      int n = Math.min(end - offset, layout.checksumLength(page) - inPage);
      ByteBuffer target = ByteBuffer.wrap(buffer, offset, n);
      if (!readChecksumsFromPage(page, inPage, target)) {
        replica.get().readChecksums(checksums.position(), target.position(offset));
      }
      checksums.advance(n);
      offset += n;
    }
  }

  /**
   * Checksums go out before the data they belong to. So the data is verified now, when it can
   * still be had from the replica together with its checksums.
   */
  private boolean readChecksumsFromPage(int page, int position, ByteBuffer target) {
    OpenPage open = pageAt(checksums, page);
    if (open == null) {
      return false;
    }
    try {
      int begin = target.position();
      open.read(layout.dataLength(page) + position, target);
      if (verifier != null) {
        verifier.verifyChecksums(open, page, position, target.duplicate().position(begin));
      }
      return true;
    } catch (IOException e) {
      giveUp(page, e);
      return false;
    }
  }

  /**
   * Sends the next bytes of data straight from a file to the socket.
   *
   * @param waitTime set to the nanoseconds spent waiting for the socket
   * @param transferTime set to the nanoseconds spent sending
   */
  public void transferTo(SocketOutputStream out, int length, LongWritable waitTime,
      LongWritable transferTime) throws IOException {
    TransferTimes times = new TransferTimes();
    while (length > 0) {
      int page = layout.pageOf(data.position());
      int inPage = (int) (data.position() - layout.start(page));
      int n = Math.min(length, layout.dataLength(page) - inPage);
      int sent = sendFromPage(page, inPage, n, out, times);
      bytesFromPages += sent;
      bytesZeroCopy += sent;
      if (sent < n) {
        replica.get().transferTo(out, data.position() + sent, n - sent, waitTime, transferTime);
        times.add(waitTime.get(), transferTime.get());
        bytesFromReplica += n - sent;
      }
      data.advance(n);
      length -= n;
    }
    waitTime.set(times.waited());
    transferTime.set(times.sending());
  }

  /** @return bytes sent; fewer than asked for if the rest is to be sent from the replica. */
  private int sendFromPage(int page, int position, int length, SocketOutputStream out,
      TransferTimes times) throws IOException {
    OpenPage open = verifiedPage(page, position, length);
    int sent = 0;
    while (open != null && sent < length) {
      long begin = System.nanoTime();
      out.waitForWritable();
      long writable = System.nanoTime();
      int n = sendSome(open, page, position + sent, length - sent, out.getChannel());
      times.add(writable - begin, System.nanoTime() - writable);
      if (n < 0) {
        return sent;
      }
      sent += n;
    }
    return sent;
  }

  /** @return bytes sent, 0 if the socket takes none now, or negative if the page is unusable. */
  private int sendSome(OpenPage open, int page, int position, int length,
      WritableByteChannel socket) throws IOException {
    try {
      int n = (int) open.file().transferTo(position, length, socket);
      if (n > 0 || position < open.file().size()) {
        return n;
      }
      giveUp(page, new DamagedPageException("page file ends at " + position, null));
      return -1;
    } catch (IOException e) {
      Exception fault = isDiskError(e) ? e : faultOfPage(open, position);
      if (fault == null) {
        throw e;
      }
      giveUp(page, fault);
      return -1;
    }
  }

  /** A socket has no EIO. One that passed on its way up would have the replica reported. */
  private static boolean isDiskError(IOException e) {
    return e.getMessage() != null && e.getMessage().startsWith("Input/output error");
  }

  /**
   * Tells an error of the SSD from one of the socket: transferTo throws the same for both.
   *
   * @return what is wrong with the page's file, or null if it can be read
   */
  private static Exception faultOfPage(OpenPage open, int position) {
    if (Thread.currentThread().isInterrupted()) {
      // The DataNode ends this read. Trying the file would close it, for all who share it.
      return null;
    }
    try {
      open.read(position, ByteBuffer.allocate(1));
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  /** @return the page's file if this range of it may be sent, or null: send it from the replica. */
  private OpenPage verifiedPage(int page, int position, int length) {
    OpenPage open = pageAt(data, page);
    if (open == null || verifier == null) {
      return open;
    }
    try {
      verifier.verifyData(open, page, position, length);
      return open;
    } catch (IOException e) {
      giveUp(page, e);
      return null;
    }
  }

  /** @return the file of the page, or null if the page is to be read from the replica. */
  private OpenPage pageAt(PageCursor cursor, int page) {
    if (!cursor.isAt(page)) {
      // Where the other stream is already, it is known what to use: one look-up for each page.
      PageCursor other = cursor == data ? checksums : data;
      cursor.enter(page, other.isAt(page) ? other.share() : lookUp(page));
    } else if (cursor.open() != null && !pages.isOn()) {
      cursor.leaveFile();
    }
    return cursor.open();
  }

  private OpenPage lookUp(int page) {
    return pages.isOn() ? pages.acquire(block, page) : null;
  }

  private void giveUp(int page, Exception error) {
    pages.failed(block, page, Operation.PAGE_READ, error);
    for (PageCursor cursor : new PageCursor[] {data, checksums}) {
      if (cursor.isAt(page)) {
        cursor.leaveFile();
      }
    }
  }

  /** @return bytes of data read from pages so far. */
  public long bytesFromPages() {
    return bytesFromPages;
  }

  /** @return bytes of data sent from page files to the socket directly, so far. */
  public long bytesZeroCopy() {
    return bytesZeroCopy;
  }

  /** @return bytes of data read from the replica so far. */
  public long bytesFromReplica() {
    return bytesFromReplica;
  }

  /** Releases pages and replica. May be called more than once. */
  @Override
  public void close() {
    data.leaveFile();
    checksums.leaveFile();
    replica.close();
  }
}
