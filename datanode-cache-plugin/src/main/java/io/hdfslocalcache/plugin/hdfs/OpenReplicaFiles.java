/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.plugin.hdfs;

import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.function.Consumer;

import io.hdfslocalcache.plugin.block.ReplicaFiles;
import io.hdfslocalcache.plugin.block.ReplicaIdentity;
import io.hdfslocalcache.plugin.block.UseCount;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.ChunkChecksum;
import org.apache.hadoop.hdfs.server.datanode.CorruptMetaHeaderException;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.net.SocketOutputStream;
import org.apache.hadoop.util.DataChecksum;

/**
 * The open block and meta file of a replica.
 *
 * <p>An append that begins later continues the same files, and overwrites the checksum of the last
 * chunk if that is not full. As {@code BlockSender} does, this remembers that checksum.
 *
 * <p>While files are open, their volume is not removed, and so can be unmounted once it is: {@code
 * BlockSender} has a reference to it for a client's read, and this has one for files that pages are
 * filled from.
 */
final class OpenReplicaFiles implements ReplicaFiles {

  private final UseCount users = new UseCount();
  private final FileIoProvider io;
  private final FsVolumeSpi volume;
  private final FileInputStream data;
  private final FileInputStream meta;
  private final ReplicaIdentity identity;
  /** Prevents removing the volume; null: the client's read does. */
  private final FsVolumeReference reference;
  /** Is told of a volume that fails a read. */
  private final Consumer<FsVolumeSpi> readError;
  /** The checksum of a last chunk that is not full; empty if there is none. */
  private byte[] lastChecksum = {};
  /** Its position among the replica's checksums. */
  private long lastPosition = Long.MAX_VALUE;
  /** From here on, the data is not as it was: the replica was truncated. */
  private long dataEnd = Long.MAX_VALUE;
  /** The same of the checksums. */
  private long checksumEnd = Long.MAX_VALUE;

  private OpenReplicaFiles(FileIoProvider io, FsVolumeSpi volume, FileInputStream data,
      FileInputStream meta, ReplicaIdentity identity, FsVolumeReference reference,
      Consumer<FsVolumeSpi> readError) {
    this.io = io;
    this.volume = volume;
    this.data = data;
    this.meta = meta;
    this.identity = identity;
    this.reference = reference;
    this.readError = readError;
  }

  /**
   * Opens the files as {@code BlockSender} does, and in its order, so that a sick disk is checked.
   * A missing file is not reported: the next read, without pages, does what {@code BlockSender} does
   * then. The block file is the replica's own: a copy of HDFS's cache in persistent memory is no file to send from.
   *
   * @param withChecksums whether the client wants checksums; if not, the meta file is not opened
   * @param readError told of the volume when a read of the files fails, as the streams of
   *     {@link FileIoProvider} would tell it
   * @throws FileNotFoundException if a file is not where the replica says
   * @throws IOException if a file is there, but cannot be opened
   */
  static OpenReplicaFiles forClient(FsDatasetSpi<?> dataset, LocalReplica replica,
      ExtendedBlock block, boolean withChecksums, Consumer<FsVolumeSpi> readError)
      throws IOException {
    FileIoProvider io = replica.getFileIoProvider();
    FsVolumeSpi volume = replica.getVolume();
    FileInputStream meta = null;
    FileInputStream data = null;
    try {
      meta = withChecksums ? metaForClient(dataset, block) : null;
      data = io.openAndSeek(volume, replica.getBlockFile(), 0);
      OpenReplicaFiles files = new OpenReplicaFiles(io, volume, data, meta, null, null, readError);
      if (withChecksums) {
        files.rememberLast(block.getNumBytes());
      }
      return files;
    } catch (IOException | RuntimeException | Error e) {
      IOUtils.cleanupWithLogger(null, data, meta);
      throwUnlessMissing(e, replica, withChecksums);
      throw e;
    }
  }

  /** A {@link FileNotFoundException} of the JVM may be of any error: here it says that one is missing. */
  private static void throwUnlessMissing(Throwable failure, LocalReplica replica,
      boolean withChecksums) throws IOException {
    if (failure instanceof FileNotFoundException && !Files.notExists(replica.getBlockFile().toPath())
        && !(withChecksums && Files.notExists(replica.getMetaFile().toPath()))) {
      throw new IOException(failure.getMessage(), failure);
    }
  }

  private static FileInputStream metaForClient(FsDatasetSpi<?> dataset, ExtendedBlock block)
      throws IOException {
    LengthInputStream stream = dataset.getMetaDataInputStream(block);
    if (stream == null) {
      throw new FileNotFoundException("Meta-data not found for " + block);
    }
    return (FileInputStream) stream.getWrappedStream();
  }

  /**
   * Opens the files to fill pages from, and to send from if that fails: past dataset and {@link
   * FileIoProvider}, which check a disk or drop a replica when a file is missing.
   *
   * @param length bytes of data in the replica
   * @param identity read before the files were opened
   * @param readError told of the volume when a read of the files fails
   * @throws FileNotFoundException if a file is missing
   * @throws IOException if a file cannot be read, or the volume is being removed
   */
  static OpenReplicaFiles forFill(LocalReplica replica, long length, ReplicaIdentity identity,
      Consumer<FsVolumeSpi> readError) throws IOException {
    FsVolumeReference reference = replica.getVolume().obtainReference();
    OpenReplicaFiles files = null;
    try {
      files = quietly(replica, identity, reference, readError);
      files.rememberLast(length);
      return files;
    } catch (IOException | RuntimeException | Error e) {
      IOUtils.closeStream(files == null ? reference : files);
      throw e;
    }
  }

  private static OpenReplicaFiles quietly(LocalReplica replica, ReplicaIdentity identity,
      FsVolumeReference reference, Consumer<FsVolumeSpi> readError) throws IOException {
    FileInputStream data = null;
    try {
      data = new FileInputStream(replica.getBlockFile());
      return new OpenReplicaFiles(replica.getFileIoProvider(), replica.getVolume(), data,
          new FileInputStream(replica.getMetaFile()), identity, reference, readError);
    } catch (IOException | RuntimeException | Error e) {
      IOUtils.closeStream(data);
      throwUnlessMissing(e, replica, true);
      throw e;
    }
  }

  /**
   * Opens the files of the old state of a replica that may have been appended to or truncated
   * since. Of a truncated one, the whole chunks below the cut can be read, as by a stock read that
   * opened the files before.
   *
   * @param length bytes of data in the old state
   * @param last the checksum of its last chunk before an append, or null in it: the DataNode has
   *     not read it; null: no append to this state is known
   * @param shortest fewest bytes of data that the files had since
   * @throws FileNotFoundException if a file is missing
   * @throws IOException if a file cannot be read, or an unknown checksum was overwritten
   */
  static OpenReplicaFiles asItWas(LocalReplica replica, long length, ChunkChecksum last,
      long shortest) throws IOException {
    OpenReplicaFiles files = quietly(replica, null, null, sick -> { });
    boolean isAppend = last != null && last.getDataLength() == length;
    try {
      // A truncation cuts the files before the replica map shows it.
      long intact = Math.min(shortest, files.data.getChannel().size());
      if (intact < length) {
        files.endAt(intact);
        return files;
      }
      if (isAppend && last.getChecksum() != null) {
        files.remember(length, last.getChecksum());
        return files;
      }
      files.rememberLast(length);
      // In this order: an append writes data before its checksums.
      if (files.lastChecksum.length > 0 && files.data.getChannel().size() > length) {
        if (!isAppend) {
          throw new IOException("the checksum of the last chunk was overwritten: " + replica);
        }
        files.computeLast(length);
      }
      return files;
    } catch (IOException | RuntimeException | Error e) {
      files.close();
      throw e;
    }
  }

  /** @param intact bytes of data that were not cut off; the last chunk has another checksum then */
  private void endAt(long intact) throws IOException {
    DataChecksum checksum = checksum();
    long chunks = intact / checksum.getBytesPerChecksum();
    dataEnd = chunks * checksum.getBytesPerChecksum();
    checksumEnd = chunks * checksum.getChecksumSize();
  }

  private static void checkEnd(long end, long allowed) throws EOFException {
    if (end > allowed) {
      throw new EOFException("truncated to " + allowed);
    }
  }

  /** An append leaves the old bytes of the chunk, and has verified them. */
  private void computeLast(long length) throws IOException {
    DataChecksum checksum = checksum();
    int inChunk = (int) (length % checksum.getBytesPerChecksum());
    byte[] chunk = new byte[inChunk];
    readData(length - inChunk, ByteBuffer.wrap(chunk));
    byte[] computed = new byte[checksum.getChecksumSize()];
    checksum.calculateChunkedSums(chunk, 0, inChunk, computed, 0);
    remember(length, computed);
  }

  private void rememberLast(long length) throws IOException {
    DataChecksum checksum = checksum();
    int chunk = checksum.getBytesPerChecksum();
    if (checksum.getChecksumSize() > 0 && length % chunk != 0) {
      byte[] stored = new byte[checksum.getChecksumSize()];
      readStoredChecksums(length / chunk * stored.length, ByteBuffer.wrap(stored));
      remember(length, stored);
    }
  }

  private void remember(long length, byte[] checksum) throws IOException {
    lastPosition = length / checksum().getBytesPerChecksum() * checksum.length;
    lastChecksum = checksum;
  }

  @Override
  public ReplicaIdentity identity() {
    return identity;
  }

  @Override
  public DataChecksum checksum() throws IOException {
    try {
      return BlockMetadataHeader.preadHeader(meta.getChannel()).getChecksum();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void readData(long position, ByteBuffer buffer) throws IOException {
    checkEnd(position + buffer.remaining(), dataEnd);
    readFully(data.getChannel(), position, buffer);
  }

  @Override
  public void readChecksums(long position, ByteBuffer buffer) throws IOException {
    int begin = buffer.position();
    readStoredChecksums(position, buffer);
    long offset = lastPosition - position;
    if (offset >= 0 && offset + lastChecksum.length <= buffer.position() - begin) {
      buffer.put(begin + (int) offset, lastChecksum);
    }
  }

  private void readStoredChecksums(long position, ByteBuffer buffer) throws IOException {
    checkEnd(position + buffer.remaining(), checksumEnd);
    readFully(meta.getChannel(), BlockMetadataHeader.getHeaderSize() + position, buffer);
  }

  private void readFully(FileChannel file, long position, ByteBuffer buffer) throws IOException {
    try {
      while (buffer.hasRemaining()) {
        int n = file.read(buffer, position);
        if (n < 0) {
          throw new EOFException("the replica's file ends at " + position);
        }
        position += n;
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** A file that is too short, or closed by us, says nothing about its disk. */
  private IOException failed(IOException error) {
    if (!(error instanceof EOFException || error instanceof ClosedChannelException
        || error instanceof CorruptMetaHeaderException)) {
      readError.accept(volume);
    }
    return error;
  }

  @Override
  public void transferTo(SocketOutputStream out, long position, int length,
      LongWritable waitTime, LongWritable transferTime) throws IOException {
    checkEnd(position + length, dataEnd);
    io.transferToSocketFully(
        volume, out, data.getChannel(), position, length, waitTime, transferTime);
  }

  @Override
  public FileDescriptor dataDescriptor() {
    try {
      return data.getFD();
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public boolean retain() {
    return users.retain();
  }

  @Override
  public void close() {
    if (users.release()) {
      // In this order: the volume may be unmounted as soon as nobody has a reference.
      IOUtils.cleanupWithLogger(null, data, meta, reference);
    }
  }
}
