/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;

import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.LostBytesException;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.time.TimeAndThreads;
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
  private final MissedParts missed;
  private final FallbackReplica replica;
  private final ServedBytes served = new ServedBytes();
  private final ReadyRanges ready;
  private long dataPosition;
  private long checksumPosition;
  private boolean fromReplica;
  /** Some clients want none: HBase has checksums of its own. */
  private boolean wantsChecksums;

  /**
   * @param block whose pages are read
   * @param pages where its pages are found
   * @param missed gets what is not found; closed with this
   * @param replicas open the replica that the pages were copied from
   * @param budget how long the read may wait for pages and for what is not found
   */
  public SnapshotReader(CachedBlock block, PageSource pages, MissedParts missed,
      ReplicaAccess replicas, WaitBudget budget) {
    this.block = block;
    this.layout = block.layout();
    this.pages = pages;
    this.missed = missed;
    this.replica = new FallbackReplica(block, replicas);
    this.ready = new ReadyRanges(block, pages, missed, budget, served);
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
    ready.wantedTo(to);
  }

  /** @return what became of the read, given the outcome if no page was used. */
  ReadOutcome outcome(ReadOutcome withoutPages) {
    return served.outcome(withoutPages);
  }

  /** Goes to an offset in the block, and to the checksum of its chunk. */
  public void seek(long offset) {
    dataPosition = offset;
    checksumPosition = layout.checksumPosition(offset);
    ready.close();
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
      if (!readChecksums(range, inPage, target)) {
        range = range.ofReplica();
        openReplica().readChecksums(checksumPosition, ByteBuffer.wrap(buffer, offset, n));
      }
      ready.add(range);
      checksumPosition += n;
      offset += n;
    }
  }

  /** @return false if they are to be read from the replica. */
  private boolean readChecksums(PageRange range, int position, ByteBuffer target) {
    if (range.isOfReplica()) {
      return false;
    }
    try {
      range.bytes().readChecksums(position, target);
      return true;
    } catch (IOException e) {
      ready.giveUp(range, e);
      return false;
    }
  }

  private PageRange rangeOfChecksums(int page, int position, int length) {
    int size = layout.checksumSize();
    int chunk = layout.chunkSize();
    return ready.load(page, position / size * chunk,
        Math.min((position + length + size - 1) / size * chunk, layout.dataLength(page)));
  }

  /** Reads the next bytes of data into a buffer. */
  public void readData(byte[] buffer, int offset, int length) throws IOException {
    int end = offset + length;
    while (offset < end) {
      int page = layout.pageOf(dataPosition);
      int inPage = (int) (dataPosition - layout.start(page));
      PageRange range = ready.at(page, inPage, end - offset);
      int n = range.available(inPage, end - offset);
      ByteBuffer target = ByteBuffer.wrap(buffer, offset, n);
      fromReplica = !readData(range, inPage, target);
      if (!fromReplica) {
        served.fromPage(dataPosition, n, range.bytes().origin());
        fromReplica = range.isVisit();
      } else {
        ReplicaFiles files = openReplica();
        long begin = TimeAndThreads.get().nanoTime();
        files.readData(dataPosition, ByteBuffer.wrap(buffer, offset, n));
        missed.replicaRead(n, TimeAndThreads.get().nanoTime() - begin);
        served.fromReplica(dataPosition, n);
      }
      dataPosition += n;
      offset += n;
    }
  }

  private boolean readData(PageRange range, int position, ByteBuffer target) {
    if (range.isOfReplica()) {
      return false;
    }
    try {
      range.bytes().readData(position, target);
      return true;
    } catch (IOException e) {
      ready.giveUpFirst(e);
      return false;
    }
  }

  /**
   * Sends the next bytes of data to the socket.
   *
   * @param head what goes before them
   * @param waitTime set to the nanoseconds spent waiting for the socket
   * @param transferTime set to the nanoseconds spent sending
   */
  public void transferTo(SocketOutputStream out, ByteBuffer head, int length,
      LongWritable waitTime, LongWritable transferTime) throws IOException {
    Transfer transfer = new Transfer(out, head);
    while (length > 0) {
      int page = layout.pageOf(dataPosition);
      int inPage = (int) (dataPosition - layout.start(page));
      PageRange range = ready.at(page, inPage, length);
      int n = range.available(inPage, length);
      fromReplica = range.isOfReplica();
      if (fromReplica) {
        transfer.sendHead();
        missed.replicaRead(n, transfer.send(openReplica(), dataPosition, n));
        served.fromReplica(dataPosition, n);
      } else {
        n = send(range, inPage, n, transfer);
        fromReplica = range.isVisit();
      }
      dataPosition += n;
      length -= n;
    }
    transfer.sendHead();
    waitTime.set(transfer.waited());
    transferTime.set(transfer.sending());
  }

  /** @return bytes sent; fewer than asked for if the rest has to be made ready anew. */
  private int send(PageRange range, int position, int length, Transfer transfer)
      throws IOException {
    int sent = 0;
    while (sent < length) {
      int n;
      try {
        n = transfer.send(range.bytes(), position + sent, length - sent);
      } catch (LostBytesException e) {
        ready.giveUpFirst(e);
        return sent;
      }
      served.fromPage(dataPosition + sent, n, range.bytes().origin());
      sent += n;
      if (n == 0) {
        transfer.awaitSocket();
        if (!pages.isOn(block)) {
          // The client may have let this wait for minutes.
          return sent;
        }
      }
    }
    return sent;
  }

  private ReplicaFiles openReplica() throws IOException {
    served.usesReplica();
    return replica.get(wantsChecksums);
  }

  /**
   * @return the replica's block file if the last bytes came from it, so that the OS can be told to
   *     read ahead; else null
   */
  public FileDescriptor replicaInUse() {
    if (!fromReplica) {
      return null;
    }
    ReplicaFiles opened = replica.opened();
    return opened != null ? opened.dataDescriptor() : missed.replica();
  }

  /** @return bytes of data that were asked for and read from pages, so far. */
  public long bytesFromPages() {
    return served.pageBytes();
  }

  /** @return of these, bytes that were in the memory tier. */
  public long bytesFromMemory() {
    return served.memoryBytes();
  }

  /** @return bytes of data that were asked for and read from the replica, so far. */
  public long bytesFromReplica() {
    return served.replicaBytes();
  }

  /** The client gets no more. */
  void finished() {
    missed.finished();
  }

  /** Releases pages and replica. May be called more than once. */
  @Override
  public void close() {
    ready.close();
    replica.close();
    missed.close();
  }
}
