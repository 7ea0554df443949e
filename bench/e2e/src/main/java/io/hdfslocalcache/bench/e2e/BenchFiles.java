/*
 * Licensed under the Apache License, Version 2.0. See the LICENSE file in the project root.
 */
package io.hdfslocalcache.bench.e2e;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;

/**
 * The benchmark's files in a cluster, one block each, through the stock client of HDFS. Their bytes
 * are computed from file and offset, so that all can be checked.
 */
final class BenchFiles implements AutoCloseable {

  /** Bytes of a file. */
  static final long LENGTH = 128L << 20;

  private static final int BUFFER = 1 << 20;
  private static final int VERIFIED_PREADS = 200;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final FileSystem fs;
  /** Idle open streams, by file. */
  private final Map<Integer, Deque<FSDataInputStream>> idle = new HashMap<>();

  /** @param address of the NameNode */
  BenchFiles(String address) throws IOException {
    Configuration conf = new Configuration();
    // One process stands for many, each of which would keep its connection.
    conf.setInt("dfs.client.socketcache.capacity", 256);
    // A benchmark must show a damaged checksum, not hide it by a retry.
    conf.setInt("dfs.client.max.block.acquire.failures", 1);
    this.fs = FileSystem.newInstance(URI.create(address), conf);
  }

  /** @return the name of a file in HDFS. */
  static String name(int file) {
    return "/bench/" + file;
  }

  /** @return an open stream for the caller alone; reused by the next load. */
  synchronized FSDataInputStream borrow(int file) throws IOException {
    Deque<FSDataInputStream> streams = idle.get(file);
    return streams == null || streams.isEmpty() ? fs.open(new Path(name(file))) : streams.pop();
  }

  synchronized void giveBack(int file, FSDataInputStream stream) {
    idle.computeIfAbsent(file, key -> new ArrayDeque<>()).push(stream);
  }

  /** Writes the first files. */
  void write(int files) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (int file = 0; file < files; file++) {
      try (FSDataOutputStream out = create(file)) {
        for (long at = 0; at < LENGTH; at += BUFFER) {
          fill(file, at, buffer);
          out.write(buffer);
        }
      }
    }
  }

  /** @return a new file, to be written by the caller. */
  FSDataOutputStream create(int file) throws IOException {
    return fs.create(new Path(name(file)), true, BUFFER, (short) 1, LENGTH);
  }

  /** Computes the bytes of a file, from an offset on. */
  static void fill(int file, long at, byte[] buffer) {
    ByteBuffer words = ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < buffer.length; i += Long.BYTES) {
      words.putLong(i, word(file, at + i));
    }
  }

  /** Sets the storage policy of files, which applies once they are moved. */
  void setPolicy(List<Integer> some, String policy) throws IOException {
    for (int file : some) {
      fs.setStoragePolicy(new Path(name(file)), policy);
    }
  }

  /** Tells Hadoop's centralized cache to cache files, which takes time. */
  void cacheByOrder(List<Integer> some) throws IOException {
    DistributedFileSystem hdfs = (DistributedFileSystem) fs;
    hdfs.addCachePool(new CachePoolInfo("hot"));
    for (int file : some) {
      hdfs.addCacheDirective(new CacheDirectiveInfo.Builder()
          .setPath(new Path(name(file))).setPool("hot").build());
    }
  }

  /** Reads a whole file in order. @return the number of bytes. */
  long read(int file, byte[] buffer, boolean check) throws IOException {
    long at = 0;
    try (FSDataInputStream in = fs.open(new Path(name(file)))) {
      for (int n = in.readNBytes(buffer, 0, buffer.length); n > 0;
          n = in.readNBytes(buffer, 0, buffer.length)) {
        if (check) {
          check(file, at, buffer, n);
        }
        at += n;
      }
    }
    if (at != LENGTH) {
      throw new IOException(name(file) + " has " + at + " bytes of " + LENGTH);
    }
    return at;
  }

  /** Reads the first files, and some ranges of them. @throws IOException if a byte is wrong */
  void verify(int files) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (int file = 0; file < files; file++) {
      read(file, buffer, true);
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < VERIFIED_PREADS; i++) {
      int file = random.nextInt(files);
      int size = random.nextInt(1, 16) << 12;
      long at = random.nextLong((LENGTH - size) / Long.BYTES) * Long.BYTES;
      try (FSDataInputStream in = fs.open(new Path(name(file)))) {
        in.readFully(at, buffer, 0, size);
      }
      check(file, at, buffer, size);
    }
  }

  /** @throws IOException if one of the bytes, from a multiple of 8 on, is wrong */
  static void check(int file, long offset, byte[] buffer, int length) throws IOException {
    ByteBuffer words = ByteBuffer.wrap(buffer, 0, length).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = offset; words.remaining() >= Long.BYTES; at += Long.BYTES) {
      if (words.getLong() != word(file, at)) {
        throw new IOException("wrong bytes in " + name(file) + " at " + at);
      }
    }
  }

  /** The content of a file at an offset: the finalizer of SplitMix64. */
  static long word(int file, long at) {
    long z = (((long) file << 48) + at + GOLDEN) * GOLDEN;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }
}
