/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.read;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

import io.hdfslocalcache.plugin.block.ReplicaAccess;
import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.index.CachedBlock;
import io.hdfslocalcache.plugin.memory.LostBytesException;
import io.hdfslocalcache.plugin.memory.PageBytes;
import io.hdfslocalcache.plugin.metrics.ReadOutcome;
import io.hdfslocalcache.plugin.page.PageLayout;
import io.hdfslocalcache.time.TimeAndThreads;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/**
 * Reads data and checksums of one snapshot of a block: from its cached pages, and otherwise from
 * the replica on the data volume, which is opened only when its first byte is needed.
 *
 * <p>The two may be mixed freely, even data of the one with checksums of the other: they hold the
 * same bytes, because both are of the same generation stamp and length, and a page was verified
 * when it was filled. After an SSD error, the rest of the page is read from the replica, even in
 * the middle of a packet; an error of the socket is the client's, and is thrown as without a local
 * cache.
 *
 * <p>Checksums go out before the data they belong to. So when checksums are read, their data is
 * prepared too, while both can still be read from the replica.
 *
 * <p>The DataNode sends whole chunks, but only requested bytes are counted, as in reads without
 * pages. Otherwise small reads would inflate the offload.
 *
 * <p>Used by one thread.
 */
public final class SnapshotReader implements Closeable {

  private static final int NONE = -1;

  private final CachedBlock block;
  private final PageLayout layout;
  private final CachedPages pages;
  private final ReadThrough.MissedParts missed;
  private final FallbackReplica replica;
  private final WaitBudget budget;
  private long dataPosition;
  private long checksumPosition;
  /** The requested range of the block: only its bytes are counted and needed. */
  private long askedFrom;
  private long askedTo;
  /** Some clients need none: HBase has its own checksums. */
  private boolean wantsChecksums;

  /** Chunks ready to be sent from the position on. Their checksums were read. */
  private final ArrayDeque<Chunks> ready = new ArrayDeque<>();
  /** The current page; {@link #NONE}: no page. */
  private int page = NONE;
  /** Bytes of that page. Null: read from the replica up to replicaTo. */
  private PageBytes bytes;
  /** Up to this byte of that page's data, the replica is read. */
  private int replicaTo;
  /** The read-ahead of the next page, while this one is sent; or null. */
  private PageFetch ahead;

  /** Nanoseconds of the current packet: spent waiting for the socket, and sending. */
  private long waited;
  private long sending;

  private boolean fromReplica;
  private long pageBytes;
  private long replicaBytes;
  private long memoryBytes;
  private boolean foundPage;
  private boolean usedPage;
  private boolean usedReplica;

  /**
   * Some chunks of a page, ready to be sent.
   *
   * @param page index of the page
   * @param from first byte of the page's data
   * @param to byte of the page's data after the last
   * @param bytes their bytes, closed with this; null: in the replica
   */
  private record Chunks(int page, int from, int to, PageBytes bytes) {

    boolean areOfReplica() {
      return bytes == null;
    }

    boolean hold(int ofPage, int position) {
      return page == ofPage && from <= position && position < to;
    }

    boolean areBefore(int otherPage, int position) {
      return page < otherPage || page == otherPage && to <= position;
    }

    Chunks ofReplica() {
      return new Chunks(page, from, to, null);
    }

    void close() {
      if (bytes != null) {
        bytes.close();
      }
    }
  }

  /**
   * @param block whose pages are read
   * @param pages finds its pages
   * @param missed reads missing parts, and limits how long the read may wait; closed with this
   * @param replicas open the replica that the pages were copied from
   */
  public SnapshotReader(CachedBlock block, CachedPages pages, ReadThrough.MissedParts missed,
      ReplicaAccess replicas) {
    this.block = block;
    this.layout = block.layout();
    this.pages = pages;
    this.missed = missed;
    this.replica = new FallbackReplica(block, replicas);
    this.budget = missed.budget();
    this.askedTo = layout.blockLength();
  }

  /**
   * Makes sure that the read can continue when the replica changes. Call before the first read.
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

  /** Sets the range that the client requested; by default the whole block. */
  public void askedFor(long from, long to) {
    askedFrom = from;
    askedTo = to;
  }

  /**
   * @param withoutPages the outcome if no page was used
   * @return the outcome of the read; also a hit if the client closed before the first byte of a
   *     cached page
   */
  ReadOutcome outcome(ReadOutcome withoutPages) {
    if (usedReplica) {
      return usedPage ? ReadOutcome.PARTIAL_HIT : withoutPages;
    }
    return usedPage || foundPage ? ReadOutcome.HIT : withoutPages;
  }

  /** Goes to an offset in the block, and to the checksum of its chunk. */
  public void seek(long offset) {
    dataPosition = offset;
    checksumPosition = layout.checksumPosition(offset);
    release();
  }

  /** Reads the next checksums into a buffer. */
  public void readChecksums(byte[] buffer, int offset, int length) throws IOException {
    int end = offset + length;
    wantsChecksums = true;
    while (offset < end) {
      int of = layout.pageOfChecksum(checksumPosition);
      int inPage = (int) (checksumPosition - layout.checksumStart(of));
      int n = Math.min(end - offset, layout.checksumLength(of) - inPage);
      Chunks chunks = chunksOfChecksums(of, inPage, n);
      if (!readChecksums(chunks, inPage, ByteBuffer.wrap(buffer, offset, n))) {
        chunks = chunks.ofReplica();
        openReplica().readChecksums(checksumPosition, ByteBuffer.wrap(buffer, offset, n));
      }
      ready.add(chunks);
      checksumPosition += n;
      offset += n;
    }
  }

  /** @return false if they must be read from the replica. */
  private boolean readChecksums(Chunks chunks, int position, ByteBuffer target) {
    if (chunks.areOfReplica()) {
      return false;
    }
    try {
      chunks.bytes().readChecksums(position, target);
      return true;
    } catch (IOException e) {
      giveUp(chunks, e);
      return false;
    }
  }

  private Chunks chunksOfChecksums(int of, int position, int length) {
    int size = layout.checksumSize();
    int chunk = layout.chunkSize();
    return load(of, position / size * chunk,
        Math.min((position + length + size - 1) / size * chunk, layout.dataLength(of)));
  }

  /** Reads the next bytes of data into a buffer. */
  public void readData(byte[] buffer, int offset, int length) throws IOException {
    int end = offset + length;
    while (offset < end) {
      int of = layout.pageOf(dataPosition);
      int inPage = (int) (dataPosition - layout.start(of));
      Chunks chunks = next(of, inPage, end - offset);
      int n = Math.min(end - offset, chunks.to() - inPage);
      if (readData(chunks, inPage, ByteBuffer.wrap(buffer, offset, n))) {
        servedPage(dataPosition, n, chunks.bytes().origin());
      } else {
        ReplicaFiles files = openReplica();
        long begin = TimeAndThreads.get().nanoTime();
        files.readData(dataPosition, ByteBuffer.wrap(buffer, offset, n));
        missed.replicaRead(n, TimeAndThreads.get().nanoTime() - begin);
        servedReplica(dataPosition, n);
      }
      dataPosition += n;
      offset += n;
    }
  }

  private boolean readData(Chunks chunks, int position, ByteBuffer target) {
    if (chunks.areOfReplica()) {
      return false;
    }
    try {
      chunks.bytes().readData(position, target);
      return true;
    } catch (IOException e) {
      giveUpFirst(e);
      return false;
    }
  }

  /**
   * Sends the next bytes of data to the socket.
   *
   * @param head bytes to send before them
   * @param waitTime set to the nanoseconds spent waiting for the socket
   * @param transferTime set to the nanoseconds spent sending
   */
  public void transferTo(SocketOutputStream out, ByteBuffer head, int length,
      LongWritable waitTime, LongWritable transferTime) throws IOException {
    waited = 0;
    sending = 0;
    while (length > 0) {
      int of = layout.pageOf(dataPosition);
      int inPage = (int) (dataPosition - layout.start(of));
      Chunks chunks = next(of, inPage, length);
      int n = Math.min(length, chunks.to() - inPage);
      if (chunks.areOfReplica()) {
        sendHead(out, head);
        sendReplica(out, n);
      } else {
        n = send(chunks, inPage, n, out, head);
      }
      dataPosition += n;
      length -= n;
    }
    sendHead(out, head);
    waitTime.set(waited);
    transferTime.set(sending);
  }

  private static void sendHead(SocketOutputStream out, ByteBuffer head) throws IOException {
    while (head.hasRemaining()) {
      if (out.write(head) < 0) {
        throw new IOException("The stream is closed");
      }
    }
  }

  private void sendReplica(SocketOutputStream out, int length) throws IOException {
    LongWritable wait = new LongWritable();
    LongWritable transfer = new LongWritable();
    openReplica().transferTo(out, dataPosition, length, wait, transfer);
    waited += wait.get();
    sending += transfer.get();
    missed.replicaRead(length, transfer.get());
    servedReplica(dataPosition, length);
  }

  /** @return bytes sent; fewer than requested if the rest has to be prepared again. */
  private int send(Chunks chunks, int position, int length, SocketOutputStream out,
      ByteBuffer head) throws IOException {
    int sent = 0;
    while (sent < length) {
      int n;
      long begin = TimeAndThreads.get().nanoTime();
      try {
        n = chunks.bytes().send(head, position + sent, length - sent, out.getChannel());
      } catch (LostBytesException e) {
        giveUpFirst(e);
        return sent;
      } finally {
        sending += TimeAndThreads.get().nanoTime() - begin;
      }
      servedPage(dataPosition + sent, n, chunks.bytes().origin());
      sent += n;
      if (n == 0) {
        // That takes several system calls, and is rarely needed.
        begin = TimeAndThreads.get().nanoTime();
        out.waitForWritable();
        waited += TimeAndThreads.get().nanoTime() - begin;
        if (!pages.isOn(block)) {
          // The client may have made this wait for minutes.
          return sent;
        }
      }
    }
    return sent;
  }

  /** @return the chunks with the next bytes of data: at least one byte, of one page only. */
  private Chunks next(int of, int position, int length) {
    while (!ready.isEmpty() && ready.peek().areBefore(of, position)) {
      ready.poll().close();
    }
    Chunks chunks = ready.peek();
    int end = Math.min(position + length, layout.dataLength(of));
    if (chunks == null || !chunks.hold(of, position)) {
      int chunk = layout.chunkSize();
      chunks = load(of, position / chunk * chunk,
          Math.min((end + chunk - 1) / chunk * chunk, layout.dataLength(of)));
      ready.addFirst(chunks);
    } else if (!chunks.areOfReplica() && !pages.isOn(block)) {
      ready.poll().close();
      chunks = load(of, chunks.from(), chunks.to());
      ready.addFirst(chunks);
    }
    return chunks;
  }

  /**
   * Prepares chunks of the same page or of a later one, or decides to read them from the replica.
   */
  private Chunks load(int of, int from, int to) {
    boolean isStream = page != NONE && of == page + 1;
    if (page != of) {
      leavePage();
      if (ahead != null && ahead.slice().page() != of) {
        leaveAhead();
      }
      page = of;
      replicaTo = 0;
    } else if (bytes != null && (!pages.isOn(block) || !bytes.covers(from, to))) {
      leavePage();
    }
    if (bytes == null && from >= replicaTo && !budget.isOverdrawn() && pages.isOn(block)) {
      bytes = get(from, to);
    }
    if (bytes == null) {
      return new Chunks(of, from, to, null);
    }
    if (isStream && bytes.origin() == PageBytes.Origin.SSD && of + 1 < layout.pages()
        && askedTo > layout.start(of + 1) && ahead == null) {
      ahead = pages.readAhead(block, of + 1, wanted(of + 1, 1));
    }
    if (bytes.origin() == PageBytes.Origin.REPLICA) {
      usedReplica = true;
    } else {
      foundPage = true;
    }
    return new Chunks(of, from, to, bytes.share());
  }

  /** Gets bytes of the page: from memory, from the SSD, or by a visit to the data volume. */
  private PageBytes get(int from, int to) {
    int wanted = wanted(page, to);
    boolean isThere = block.has(page, from, to);
    PageFetch begun = null;
    if (ahead != null && ahead.slice().page() == page) {
      begun = ahead;
      ahead = null;
    }
    PageBytes found;
    if (isThere) {
      found = pages.get(block, page, from, to, wanted, begun, budget);
    } else {
      IOUtils.closeStream(begun);
      found = missed.get(page, from, to, wanted);
    }
    if (found != null && !found.covers(from, to)) {
      found.close();
      found = null;
    }
    if (found == null) {
      // A failure is not retried for each part of the page.
      replicaTo = isThere ? layout.dataLength(page)
          : layout.partEnd(page, layout.partOf(to - 1));
    }
    return found;
  }

  /** @return byte after the last that the read will need of the present page. */
  private int wanted(int of, int to) {
    return (int) Math.max(to, Math.min(layout.dataLength(of), askedTo - layout.start(of)));
  }

  /** The current bytes cannot be sent: continue from the replica. */
  private void giveUpFirst(Exception error) {
    Chunks chunks = ready.poll();
    ready.addFirst(chunks.ofReplica());
    giveUp(chunks, error);
  }

  /** Closes chunks that are lost. The rest of their page is read from the replica. */
  private void giveUp(Chunks chunks, Exception error) {
    chunks.close();
    pages.lost(block, chunks.page(), error);
    if (page == chunks.page()) {
      leavePage();
      replicaTo = layout.dataLength(page);
    }
  }

  private void leavePage() {
    if (bytes != null) {
      bytes.close();
      bytes = null;
    }
  }

  /** Releases all prepared chunks. The reader may continue elsewhere. */
  private void release() {
    for (Chunks chunks = ready.poll(); chunks != null; chunks = ready.poll()) {
      chunks.close();
    }
    leavePage();
    leaveAhead();
    page = NONE;
  }

  private void leaveAhead() {
    if (ahead != null) {
      ahead.close();
      ahead = null;
    }
  }

  private void servedPage(long offset, int length, PageBytes.Origin origin) {
    if (origin == PageBytes.Origin.REPLICA) {
      servedReplica(offset, length);
      return;
    }
    fromReplica = false;
    usedPage |= length > 0;
    long asked = askedForOf(offset, length);
    pageBytes += asked;
    memoryBytes += origin == PageBytes.Origin.MEMORY ? asked : 0;
  }

  private void servedReplica(long offset, int length) {
    fromReplica = true;
    replicaBytes += askedForOf(offset, length);
  }

  private long askedForOf(long offset, int length) {
    return Math.max(0, Math.min(offset + length, askedTo) - Math.max(offset, askedFrom));
  }

  /** Files that the read fills from are open already: no later change of the replica matters. */
  private ReplicaFiles openReplica() throws IOException {
    usedReplica = true;
    ReplicaFiles filling = missed.replica();
    return filling != null ? filling : replica.get(wantsChecksums);
  }

  /**
   * @return the replica's block file if the last bytes came from it, so that the OS can be told to
   *     read ahead; else null
   */
  public FileDescriptor replicaInUse() {
    ReplicaFiles filling = missed.replica();
    ReplicaFiles open = filling != null ? filling : replica.opened();
    return fromReplica && open != null ? open.dataDescriptor() : null;
  }

  /** @return requested bytes of data read from pages so far. */
  public long bytesFromPages() {
    return pageBytes;
  }

  /** @return of these, bytes from the memory tier. */
  public long bytesFromMemory() {
    return memoryBytes;
  }

  /** @return requested bytes of data read from the replica so far. */
  public long bytesFromReplica() {
    return replicaBytes;
  }

  /**
   * @return whether the read failed because a file of the replica is missing. Without pages, the
   *     DataNode may serve it all the same, and else reports it.
   */
  public boolean isReplicaMissing() {
    return replica.isMissing();
  }

  /** The read has ended. */
  void finished() {
    missed.finished();
  }

  /** Releases pages and replica. May be called more than once. */
  @Override
  public void close() {
    release();
    replica.close();
    missed.close();
  }
}
