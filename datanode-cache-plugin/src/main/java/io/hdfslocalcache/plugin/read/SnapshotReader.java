/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;

import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.config.Verification;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.metrics.Operation;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
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
 * <p>Checksums go out before the data they belong to. So when they are asked for, their data is
 * made ready too, while both can still be had from the replica.
 *
 * <p>Used by one thread.
 */
public final class SnapshotReader implements Closeable {

  private final CachedBlock block;
  private final PageLayout layout;
  private final PageSource pages;
  private final FallbackReplica replica;
  private final RangeLoader loader;
  private final PageCursor cursor = new PageCursor();
  /** What is ready to be sent, from the data position on. */
  private final ArrayDeque<PageRange> ready = new ArrayDeque<>();
  private long dataPosition;
  private long checksumPosition;
  private final ServedBytes served = new ServedBytes();
  private boolean fromReplica;
  /** Some clients want none: HBase has checksums of its own. */
  private boolean wantsChecksums;

  /**
   * @param block whose pages are read
   * @param pages where its pages are found
   * @param replicas open the replica that the pages were copied from
   * @param verification when pages are verified
   */
  public SnapshotReader(CachedBlock block, PageSource pages, ReplicaAccess replicas,
      Verification verification) {
    this(block, pages, replicas, new RangeLoader(block, pages, verification));
  }

  SnapshotReader(CachedBlock block, PageSource pages, ReplicaAccess replicas,
      RangeLoader loader) {
    this.block = block;
    this.layout = block.layout();
    this.pages = pages;
    this.replica = new FallbackReplica(block, replicas);
    this.loader = loader;
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

  /** Sets the range of the block that is counted, for chunks are read whole; without it, all. */
  public void askedFor(long from, long to) {
    served.askedFor(from, to);
    loader.wantedTo(to);
  }

  /** @return what became of the read, given the outcome if no page was used. */
  ReadOutcome outcome(ReadOutcome withoutPages) {
    return served.outcome(withoutPages);
  }

  /** Goes to an offset in the block, and to the checksum of its chunk. */
  public void seek(long offset) {
    dataPosition = offset;
    checksumPosition = layout.checksumPosition(offset);
    dropReady();
  }

  /** Reads the next checksums into a buffer. */
  public void readChecksums(byte[] buffer, int offset, int length) throws IOException {
    int end = offset + length;
    wantsChecksums = true;
    while (offset < end) {
      int page = layout.pageOfChecksum(checksumPosition);
      int inPage = (int) (checksumPosition - layout.checksumStart(page));
      int n = Math.min(end - offset, layout.checksumLength(page) - inPage);
      ByteBuffer target = ByteBuffer.wrap(buffer, offset, n);
      PageRange range = rangeOfChecksums(page, inPage, n);
      if (range.isOfReplica()) {
        openReplica().readChecksums(checksumPosition, target);
      } else {
        range.readChecksums(layout, inPage, target);
      }
      ready.add(range);
      checksumPosition += n;
      offset += n;
    }
  }

  private PageRange rangeOfChecksums(int page, int position, int length) {
    int size = layout.checksumSize();
    int chunk = layout.chunkSize();
    return load(page, position / size * chunk,
        Math.min((position + length + size - 1) / size * chunk, layout.dataLength(page)));
  }

  /** Reads the next bytes of data into a buffer. */
  public void readData(byte[] buffer, int offset, int length) throws IOException {
    int end = offset + length;
    while (offset < end) {
      int page = layout.pageOf(dataPosition);
      int inPage = (int) (dataPosition - layout.start(page));
      PageRange range = rangeAt(page, inPage, end - offset);
      int n = range.available(inPage, end - offset);
      ByteBuffer target = ByteBuffer.wrap(buffer, offset, n);
      fromReplica = !readData(range, page, inPage, target);
      if (!fromReplica) {
        served.fromPage(dataPosition, n);
      } else {
        ReplicaFiles files = openReplica();
        long begin = System.nanoTime();
        files.readData(dataPosition, target.position(offset));
        pages.replicaRead(System.nanoTime() - begin);
        served.fromReplica(dataPosition, n);
      }
      dataPosition += n;
      offset += n;
    }
  }

  private boolean readData(PageRange range, int page, int position, ByteBuffer target) {
    if (range.isOfReplica()) {
      return false;
    }
    try {
      range.readData(position, target);
      return true;
    } catch (IOException e) {
      giveUpReady(page, e);
      return false;
    }
  }

  /**
   * Sends the next bytes of data to the socket: straight from a file if they are in memory there.
   *
   * @param head what goes before them; in one write with them if they are sent from memory, for a
   *     write costs as much as some of the data
   * @param waitTime set to the nanoseconds spent waiting for the socket
   * @param transferTime set to the nanoseconds spent sending
   */
  public void transferTo(SocketOutputStream out, ByteBuffer head, int length,
      LongWritable waitTime, LongWritable transferTime) throws IOException {
    TransferTimes times = new TransferTimes();
    while (length > 0) {
      int page = layout.pageOf(dataPosition);
      int inPage = (int) (dataPosition - layout.start(page));
      PageRange range = rangeAt(page, inPage, length);
      int n = range.available(inPage, length);
      int sent;
      fromReplica = range.isOfReplica();
      if (range.isInMemory()) {
        sent = sendFromMemory(range, inPage, n, head, out, times);
      } else if (!fromReplica) {
        writeFully(out, head);
        sent = sendFromFile(range, page, inPage, n, out, times);
      } else {
        writeFully(out, head);
        openReplica().transferTo(out, dataPosition, n, waitTime, transferTime);
        times.add(waitTime.get(), transferTime.get());
        pages.replicaRead(transferTime.get());
        served.fromReplica(dataPosition, n);
        sent = n;
      }
      dataPosition += sent;
      length -= sent;
    }
    writeFully(out, head);
    waitTime.set(times.waited());
    transferTime.set(times.sending());
  }

  private int sendFromMemory(PageRange range, int position, int length, ByteBuffer head,
      SocketOutputStream out, TransferTimes times) throws IOException {
    long begin = System.nanoTime();
    ByteBuffer bytes = range.inMemory(position, length, head);
    writeFully(out, head);
    writeFully(out, bytes);
    served.fromPage(dataPosition, length);
    times.add(0, System.nanoTime() - begin);
    return length;
  }

  private static void writeFully(SocketOutputStream out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (out.write(bytes) < 0) {
        throw new IOException("The stream is closed");
      }
    }
  }

  /** @return bytes sent; fewer than asked for if the rest has to be made ready anew. */
  private int sendFromFile(PageRange range, int page, int position, int length,
      SocketOutputStream out, TransferTimes times) throws IOException {
    int sent = 0;
    while (sent < length) {
      long begin = System.nanoTime();
      int from = position + sent;
      // The client may have let this wait for minutes.
      int n = loader.maySend(range.file(), page, from, position + length)
          ? sendSome(range.file(), page, from, length - sent, out.getChannel()) : -1;
      times.add(0, System.nanoTime() - begin);
      if (n < 0) {
        break;
      }
      if (n == 0) {
        // Only now: to wait takes several system calls, and the socket is seldom full.
        awaitWritable(out, times);
      } else {
        served.fromPageWithoutCopy(dataPosition + sent, n);
        sent += n;
      }
    }
    return sent;
  }

  private static void awaitWritable(SocketOutputStream out, TransferTimes times)
      throws IOException {
    long begin = System.nanoTime();
    out.waitForWritable();
    times.add(System.nanoTime() - begin, 0);
  }

  /** @return bytes sent, 0 if the socket takes none now, or negative if the page is unusable. */
  private int sendSome(OpenPage open, int page, int position, int length,
      WritableByteChannel socket) throws IOException {
    try {
      int n = (int) open.file().transferTo(position, length, socket);
      if (n > 0 || position < open.file().size()) {
        return n;
      }
      giveUpReady(page, new DamagedPageException("page file ends at " + position, null));
      return -1;
    } catch (IOException e) {
      Exception fault = isDiskError(e) ? e : faultOfPage(open, position);
      if (fault == null) {
        throw e;
      }
      giveUpReady(page, fault);
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
  private Exception faultOfPage(OpenPage open, int position) {
    if (Thread.currentThread().isInterrupted()) {
      // The DataNode ends this read. Trying the file would close it, for all who share it.
      return null;
    }
    try {
      pages.await(block, Operation.PAGE_READ, () -> {
        open.read(position, ByteBuffer.allocate(1));
        return null;
      });
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  /** @return where the next bytes of data come from: at least one of them, and no page beyond. */
  private PageRange rangeAt(int page, int position, int length) {
    while (!ready.isEmpty() && ready.peek().isBefore(page, position)) {
      ready.poll().close();
    }
    PageRange range = ready.peek();
    int end = Math.min(position + length, layout.dataLength(page));
    if (range == null || !range.holds(page, position)) {
      int chunk = layout.chunkSize();
      range = load(page, position / chunk * chunk,
          Math.min((end + chunk - 1) / chunk * chunk, layout.dataLength(page)));
      ready.addFirst(range);
    } else if (!range.isOfReplica() && !isUsable(range, page, position, end)) {
      ready.poll().close();
      range = load(page, range.from(), range.to());
      ready.addFirst(range);
    }
    return range;
  }

  private boolean isUsable(PageRange range, int page, int position, int end) {
    return pages.isOn(block) && (range.file() == null
        || loader.maySend(range.file(), page, position, Math.min(end, range.to())));
  }

  /** Makes chunks of a page ready, or finds out that they have to come from the replica. */
  private PageRange load(int page, int from, int to) {
    OpenPage open = pageAt(page);
    if (open != null) {
      try {
        return loader.load(open, page, from, to);
      } catch (IOException e) {
        giveUp(page, e);
      } catch (RuntimeException | Error e) {
        giveUp(page, new IOException("reading a page: " + e, e));
      }
    }
    return PageRange.ofReplica(page, from, to);
  }

  /** @return the file of the page, or null if the page is to be read from the replica. */
  private OpenPage pageAt(int page) {
    if (!cursor.isAt(page)) {
      OpenPage open = pages.isOn(block) ? pages.acquire(block, page) : null;
      loader.enter();
      cursor.enter(page, open);
    } else if (cursor.open() != null && !pages.isOn(block)) {
      cursor.leaveFile();
    }
    if (cursor.open() != null) {
      served.foundPage();
    }
    return cursor.open();
  }

  /** The range that is being sent cannot be: the replica has to go on. */
  private void giveUpReady(int page, Exception error) {
    PageRange range = ready.poll();
    range.close();
    ready.addFirst(PageRange.ofReplica(page, range.from(), range.to()));
    giveUp(page, error);
  }

  private ReplicaFiles openReplica() throws IOException {
    served.usesReplica();
    return replica.get(wantsChecksums);
  }

  private void giveUp(int page, Exception error) {
    pages.failed(block, page, Operation.PAGE_READ, error);
    if (cursor.isAt(page)) {
      cursor.leaveFile();
    }
  }

  /**
   * @return the replica's block file if the last bytes came from it, so that the OS can be told to
   *     read ahead; else null
   */
  public FileDescriptor replicaInUse() {
    ReplicaFiles opened = replica.opened();
    return fromReplica && opened != null ? opened.dataDescriptor() : null;
  }

  /** @return bytes of data that were asked for and read from pages, so far. */
  public long bytesFromPages() {
    return served.pageBytes();
  }

  /** @return of these, bytes sent from page files to the socket directly. */
  public long bytesZeroCopy() {
    return served.zeroCopyBytes();
  }

  /** @return bytes of data that were asked for and read from the replica, so far. */
  public long bytesFromReplica() {
    return served.replicaBytes();
  }

  private void dropReady() {
    for (PageRange range = ready.poll(); range != null; range = ready.poll()) {
      range.close();
    }
  }

  /** Releases pages and replica. May be called more than once. */
  @Override
  public void close() {
    dropReady();
    loader.close();
    cursor.leaveFile();
    replica.close();
  }
}
